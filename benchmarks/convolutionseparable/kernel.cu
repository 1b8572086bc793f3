#include "cuda.h"

enum { radius = 8, taps = 2 * radius + 1, results = 8 };

CONSTANT float filter[taps];

// Rows: 16x4 threads make eight tiles of 16 columns side by side, with a tile on
// either side as halo; beyond the image is zero.
KERNEL convolutionRowsKernel(float *out, const float *in, int w, int pitch) {
  enum { bx = 16, by = 4 };
  SHARED float s[by][(results + 2) * bx];
  int tx = tid_x(), ty = tid_y();
  int x = (cta_x() * results - 1) * bx + tx;
  int y = cta_y() * by + ty;
  in += y * pitch + x;
  out += y * pitch + x;
#pragma unroll
  for (int i = 0; i < results + 2; i++)
    s[ty][tx + i * bx] = x + i * bx >= 0 && x + i * bx < w ? in[i * bx] : 0;
  barrier();
#pragma unroll
  for (int i = 1; i <= results; i++) {
    float sum = 0;
#pragma unroll
    for (int j = -radius; j <= radius; j++) sum += filter[radius - j] * s[ty][tx + i * bx + j];
    out[i * bx] = sum;
  }
}

// Columns: 16x8 threads make eight tiles of 8 rows one above the other; the
// columns lie one word more than their length apart.
KERNEL convolutionColumnsKernel(float *out, const float *in, int h, int pitch) {
  enum { bx = 16, by = 8 };
  SHARED float s[bx][(results + 2) * by + 1];
  int tx = tid_x(), ty = tid_y();
  int x = cta_x() * bx + tx;
  int y = (cta_y() * results - 1) * by + ty;
  in += y * pitch + x;
  out += y * pitch + x;
#pragma unroll
  for (int i = 0; i < results + 2; i++)
    s[tx][ty + i * by] = y + i * by >= 0 && y + i * by < h ? in[i * by * pitch] : 0;
  barrier();
#pragma unroll
  for (int i = 1; i <= results; i++) {
    float sum = 0;
#pragma unroll
    for (int j = -radius; j <= radius; j++) sum += filter[radius - j] * s[tx][ty + i * by + j];
    out[i * by * pitch] = sum;
  }
}
