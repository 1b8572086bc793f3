#include "cuda.h"

// A time step of Yee's scheme in two dimensions, a thread per cell. ex is ni x
// (nj+1), ey (ni+1) x nj, hz ni x nj; row 0 of ey is the source.

KERNEL fdtd_step1(int ni, int nj, const float *source, float *ey, const float *hz, int t) {
  int j = global_x(), i = global_y();
  if (i >= ni || j >= nj) return;
  if (i == 0)
    ey[j] = source[t];
  else
    ey[i * nj + j] -= 0.5f * (hz[i * nj + j] - hz[(i - 1) * nj + j]);
}

KERNEL fdtd_step2(int ni, int nj, float *ex, const float *hz) {
  int j = global_x(), i = global_y();
  if (i < ni && j > 0 && j < nj) ex[i * (nj + 1) + j] -= 0.5f * (hz[i * nj + j] - hz[i * nj + j - 1]);
}

KERNEL fdtd_step3(int ni, int nj, const float *ex, const float *ey, float *hz) {
  int j = global_x(), i = global_y();
  if (i >= ni || j >= nj) return;
  hz[i * nj + j] -= 0.7f * (ex[i * (nj + 1) + j + 1] - ex[i * (nj + 1) + j] + ey[(i + 1) * nj + j] - ey[i * nj + j]);
}
