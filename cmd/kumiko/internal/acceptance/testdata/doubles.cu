#include "device.h"
#pragma clang fp contract(off)

// Double precision, every operation rounded by itself: division, square root,
// fused multiply-add, conversions, comparisons with NaN.
KERNEL doubles(const double *a, const double *b, double *out, s64 *whole, int n) {
  int i = gidx;
  if (i >= n) return;
  double x = a[i], y = b[i];
  double root = x < 0 ? -__nvvm_sqrt_rn_d(-x) : __nvvm_sqrt_rn_d(x);
  double newton = 1;
  for (int k = 0; k < 8; k++) newton = 0.5 * (newton + y / newton);
  double horner = 1;
  for (int k = 12; k > 0; k--) horner = __builtin_fma(horner, x / k, 1.0);
  out[i] = x / y;
  out[n + i] = root;
  out[2 * n + i] = newton;
  out[3 * n + i] = horner;
  out[4 * n + i] = x * y + x - y;
  out[5 * n + i] = (double)(float)x + (double)(int)y;
  out[6 * n + i] = root / 0.0 != root / 0.0 ? 1 : (root < y ? 2 : 3);
  whole[i] = (s64)(x * 1e12);
  whole[n + i] = (s64)__nvvm_floor_d(y * 100) + (s64)(u64)__nvvm_fabs_d(x) + (int)__nvvm_ceil_d(x);
}
