#include "cuda.h"

enum { directions = 19, obstacle = 1, lid = 2 };

// The D3Q19 lattice: rest, six axes, twelve diagonals. Direction 2k-1 and 2k are
// opposite.
#define EACH_MOVE(DO) \
  DO(1, 1, 0, 0) DO(2, -1, 0, 0) DO(3, 0, 1, 0) DO(4, 0, -1, 0) DO(5, 0, 0, 1) DO(6, 0, 0, -1) \
  DO(7, 1, 1, 0) DO(8, -1, -1, 0) DO(9, 1, -1, 0) DO(10, -1, 1, 0) DO(11, 1, 0, 1) DO(12, -1, 0, -1) \
  DO(13, 1, 0, -1) DO(14, -1, 0, 1) DO(15, 0, 1, 1) DO(16, 0, -1, -1) DO(17, 0, 1, -1) DO(18, 0, -1, 1)

// One time step of a lid-driven cavity. The CTA is a line of cells along x; y
// and z are the CTA's coordinates. Distributions lie direction by direction,
// `plane` cells apart, and the flags behind them. Cells read their own values
// and write to their neighbours, which may lie in the margin of an array.
KERNEL performStreamCollide(const float *from, float *to, int plane, int margin, float omega, float ux, float uz) {
  int width = threads_x(), layer = width * ctas_x();
  int i = margin + tid_x() + width * cta_x() + layer * cta_y();
  float f[directions];
#pragma unroll
  for (int d = 0; d < directions; d++) f[d] = from[d * plane + i];
  int flags = ((const int *)from)[directions * plane + i];

  if (flags & obstacle) {
#pragma unroll
    for (int d = 1; d < directions; d += 2) {
      float swap = f[d];
      f[d] = f[d + 1];
      f[d + 1] = swap;
    }
  } else {
    float rho = 0, x = 0, y = 0, z = 0;
#pragma unroll
    for (int d = 0; d < directions; d++) rho += f[d];
#define MOMENTUM(d, dx, dy, dz) \
    if (dx) x += (float)dx * f[d]; \
    if (dy) y += (float)dy * f[d]; \
    if (dz) z += (float)dz * f[d];
    EACH_MOVE(MOMENTUM)
    x /= rho;
    y /= rho;
    z /= rho;
    if (flags & lid) {
      x = ux;
      y = 0;
      z = uz;
    }
    float base = 1.0f - 1.5f * (x * x + y * y + z * z);
    f[0] = (1.0f - omega) * f[0] + omega * (1.0f / 3.0f) * rho * base;
#define RELAX(d, dx, dy, dz) { \
      float u = (float)dx * x + (float)dy * y + (float)dz * z; \
      float weight = d < 7 ? 1.0f / 18.0f : 1.0f / 36.0f; \
      f[d] = (1.0f - omega) * f[d] + omega * weight * rho * (base + 3.0f * u + 4.5f * u * u); \
    }
    EACH_MOVE(RELAX)
  }

  to[i] = f[0];
#define SCATTER(d, dx, dy, dz) to[d * plane + i + dx + dy * width + dz * layer] = f[d];
  EACH_MOVE(SCATTER)
}
