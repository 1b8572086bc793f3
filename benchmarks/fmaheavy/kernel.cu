#include "cuda.h"

enum { live = 40, reach = 11 };

// Forty accumulators per thread, all live through the loop, each updated from
// another one: iterations x 40 fused multiply-adds with three register sources.
KERNEL fmaheavy(const float *in, float *out, int iterations) {
  int i = global_x();
  float x = in[i];
  float a[live];
#pragma unroll
  for (int j = 0; j < live; j++) a[j] = x + (float)j;
#pragma unroll 1
  for (int it = 0; it < iterations; it++) {
#pragma unroll
    for (int j = 0; j < live; j++) a[j] = fma(a[(j + reach) % live], x, a[j]);
  }
  float sum = 0;
#pragma unroll
  for (int j = 0; j < live; j++) sum += a[j];
  out[i] = sum;
}
