#include "cuda.h"

enum { width = 32 };

// The compiler is not to keep a pointer of its own for each neighbour.
DEVICE void one_pointer(const float *&p, float *&o) { asm("" : "+l"(p), "+l"(o)); }

// CTAs of 32x16 threads.
#define ENTRY block2D_hybrid_coarsen_x
#define HEIGHT 16
#include "march.h"
#undef ENTRY
#undef HEIGHT

// CTAs of 32x4 threads.
#define ENTRY block2D_hybrid_coarsen_x4
#define HEIGHT 4
#include "march.h"
