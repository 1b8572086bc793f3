#include "cuda.h"

enum { threads = 256, band = 32, span = threads - band, maxOptions = 1024 };

struct Option {
  float price, strike, up, puByDf, pdByDf;  // up: log of the growth in an up move
};

CONSTANT Option option[maxOptions];

// Value of a European call by backward induction on a binomial tree, a CTA per
// option. The leaves lie in memory; the tree is worked off in bands of 32 time
// steps, 256 nodes at a time, between two buffers in shared memory with a barrier
// for each step.
KERNEL binomialOptionsKernel(float *values, float *result, int steps) {
  SHARED float a[threads + 1];
  SHARED float b[threads + 1];
  int tx = tid_x();
  Option o = option[cta_x()];
  float *v = values + cta_x() * (steps + 16);

  for (int i = tx; i <= steps; i += threads) {
    float payoff = o.price * exp_approx(o.up * (2.0f * (float)i - (float)steps)) - o.strike;
    v[i] = payoff > 0 ? payoff : 0;
  }
#pragma unroll 1
  for (int level = steps; level > 0; level -= band) {
#pragma unroll 1
    for (int base = 0; base < level; base += span) {
      int first = min(threads - 1, level - base);  // the last node that is loaded
      int last = first - band;                     // the last that the band leaves
      barrier();
      if (tx <= first) a[tx] = v[base + tx];
#pragma unroll 1
      for (int k = first - 1; k >= last; k -= 2) {
        barrier();
        if (tx <= k) b[tx] = o.puByDf * a[tx + 1] + o.pdByDf * a[tx];
        barrier();
        if (tx <= k - 1) a[tx] = o.puByDf * b[tx + 1] + o.pdByDf * b[tx];
      }
      barrier();
      if (tx <= last) v[base + tx] = a[tx];
    }
  }
  if (tx == 0) result[cta_x()] = a[0];
}
