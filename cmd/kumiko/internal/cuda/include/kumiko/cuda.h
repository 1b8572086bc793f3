// The CUDA C++ of a kernel file, without a CUDA toolkit. Kumiko includes this header before every file.
#pragma once
// Code of these headers has no lines of its own: inlined, it has the line of the call.
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#include "vectors.h"
#include "warp.h"
#include "atomics.h"
#include "integer.h"
#include "overloads.h"
#include "surface.h"
#include "texture.h"
#include "runtime.h"
#include "library.h"
#include "spaces.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Headers whose templates a macro of the file, such as N, would spoil. Their names are in namespaces.
#include "../cooperative_groups.h"
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <limits>
#include <numeric>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#pragma clang attribute pop
