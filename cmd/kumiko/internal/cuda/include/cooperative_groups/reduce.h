#pragma once
#include "../cooperative_groups.h"
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

#pragma clang attribute pop
