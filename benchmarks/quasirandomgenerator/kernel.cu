#include "cuda.h"

enum { dimensions = 3, resolution = 31 };

CONSTANT u32 table[dimensions][resolution];

// Quasirandom numbers in (0, 1): the exclusive or of the table's entries for the
// bits that are set in the index. A dimension per thread along y.
KERNEL quasirandomGeneratorKernel(float *out, u32 seed, u32 n) {
  u32 stride = threads_x() * ctas_x();
  int dim = tid_y();
  for (u32 at = global_x(); at < n; at += stride) {
    u32 bits = seed + at, result = 0;
#pragma unroll
    for (int bit = 0; bit < resolution; bit++, bits >>= 1)
      if (bits & 1) result ^= table[dim][bit];
    out[dim * n + at] = (float)(result + 1) * (1.0f / 2147483648.0f);
  }
}

// Inverse of the cumulative normal distribution, Moro's approximation: a rational
// function in the middle, a polynomial of log(-log p) in the tails.
DEVICE float moro(float p) {
  float y = p - 0.5f;
  if (fabs(y) < 0.42f) {
    float z = y * y;
    float num = y * (2.50662823884f + z * (-18.61500062529f + z * (41.39119773534f + z * -25.44106049637f)));
    float den = 1.0f + z * (-8.4735109309f + z * (23.08336743743f + z * (-21.06224101826f + z * 3.13082909833f)));
    return num / den;
  }
  float tail = y > 0 ? 1.0f - p : p;
  float z = log_approx(-log_approx(tail));
  float x = 0.3374754822726147f +
            z * (0.9761690190917186f +
                 z * (0.1607979714918209f +
                      z * (0.0276438810333863f +
                           z * (0.0038405729373609f +
                                z * (0.0003951896511919f +
                                     z * (0.0000321767881768f + z * (0.0000002888167364f + z * 0.0000003960315187f)))))));
  return y < 0 ? -x : x;
}

KERNEL inverseCNDKernel(float *out, const float *in, int n) {
  int stride = threads_x() * ctas_x();
  for (int i = global_x(); i < n; i += stride) out[i] = moro(in[i]);
}
