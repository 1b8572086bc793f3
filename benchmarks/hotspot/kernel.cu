#include "cuda.h"

enum { tile = 16 };

#define ENTRY hotspot
#define REAL float
#include "hotspot/advance.h"
#undef ENTRY
#undef REAL

// With the literals of Rodinia's source, which are doubles.
#define ENTRY hotspotDouble
#define REAL double
#include "hotspot/advance.h"
