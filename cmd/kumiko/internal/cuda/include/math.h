#pragma once
#include "kumiko/overloads.h"
