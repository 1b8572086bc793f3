#include "cuda.h"

// c = a + b; the last warp of an odd n is partial.
KERNEL vecadd(const float *a, const float *b, float *c, int n) {
  int i = global_x();
  if (i < n) c[i] = a[i] + b[i];
}
