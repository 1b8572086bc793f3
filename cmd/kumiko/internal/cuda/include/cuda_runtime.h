#pragma once
#include "kumiko/cuda.h"
