#include "device.h"

// Single precision: correctly rounded division and root, the special function
// unit's approximations, conversions both ways, minimum, maximum, saturation.
KERNEL floats(const float *a, const float *b, float *exact, float *approx, int *ints, int n) {
  int i = gidx;
  if (i >= n) return;
  float x = a[i], y = b[i];
  exact[i] = x / y;
  exact[n + i] = __nvvm_sqrt_rn_f(__builtin_fabsf(x));
  exact[2 * n + i] = __builtin_fmaf(x, y, -x);
  exact[3 * n + i] = __nvvm_fmin_f(x, y) - __nvvm_fmax_f(x, 0.25f);
  exact[4 * n + i] = (float)(double)x * __nvvm_saturate_f(y);
  exact[5 * n + i] = __nvvm_rcp_rn_f(y);
  exact[6 * n + i] = (float)((u64)(y * 1e6f)) - (float)(s64)(x * 1e9f);
  approx[i] = __nvvm_ex2_approx_f(x);
  approx[n + i] = __nvvm_lg2_approx_f(y + 1.5f);
  approx[2 * n + i] = __nvvm_sin_approx_f(x * 0.3f) + 2;
  approx[3 * n + i] = __nvvm_cos_approx_f(x * 0.3f) + 2;
  approx[4 * n + i] = __nvvm_rsqrt_approx_f(y + 1);
  approx[5 * n + i] = __nvvm_sqrt_approx_f(y) + 1;
  ints[i] = (int)x;
  ints[n + i] = (int)__nvvm_floor_f(x) * 1000 + (int)__nvvm_ceil_f(x);
  ints[2 * n + i] = __nvvm_f2i_rn(x) + 7 * __nvvm_f2i_rz(y * 100) + 31 * (int)(u32)(y * 3e9f);
  ints[3 * n + i] = __nvvm_bitcast_f2i((float)(i * 16777259));
}
