#include "cuda.h"

enum { n = 8, tileW = 32, tileH = 16, ld = tileW + 1 };

// Eight-point DCT-II of x[0], x[step], ... in place, orthonormal, by the even and
// odd halves: two four-point transforms of sums and of differences.
#define C1 0.49039264020161522f  // cos(1 pi/16) / 2
#define C2 0.46193976625564337f
#define C3 0.41573480615127262f
#define C4 0.35355339059327376f
#define C5 0.27778511650980111f
#define C6 0.19134171618254489f
#define C7 0.09754516100806413f

DEVICE void forward(float *x, int step) {
  float s0 = x[0] + x[7 * step], d0 = x[0] - x[7 * step];
  float s1 = x[step] + x[6 * step], d1 = x[step] - x[6 * step];
  float s2 = x[2 * step] + x[5 * step], d2 = x[2 * step] - x[5 * step];
  float s3 = x[3 * step] + x[4 * step], d3 = x[3 * step] - x[4 * step];
  float ss = s0 + s3, sd = s0 - s3, tt = s1 + s2, td = s1 - s2;
  x[0] = C4 * (ss + tt);
  x[4 * step] = C4 * (ss - tt);
  x[2 * step] = C2 * sd + C6 * td;
  x[6 * step] = C6 * sd - C2 * td;
  x[step] = C1 * d0 + C3 * d1 + C5 * d2 + C7 * d3;
  x[3 * step] = C3 * d0 - C7 * d1 - C1 * d2 - C5 * d3;
  x[5 * step] = C5 * d0 - C1 * d1 + C7 * d2 + C3 * d3;
  x[7 * step] = C7 * d0 - C5 * d1 + C3 * d2 - C1 * d3;
}

DEVICE void inverse(float *x, int step) {
  float a = C4 * (x[0] + x[4 * step]), b = C4 * (x[0] - x[4 * step]);
  float c = C2 * x[2 * step] + C6 * x[6 * step], d = C6 * x[2 * step] - C2 * x[6 * step];
  float e0 = a + c, e3 = a - c, e1 = b + d, e2 = b - d;
  float y1 = x[step], y3 = x[3 * step], y5 = x[5 * step], y7 = x[7 * step];
  float o0 = C1 * y1 + C3 * y3 + C5 * y5 + C7 * y7;
  float o1 = C3 * y1 - C7 * y3 - C1 * y5 - C5 * y7;
  float o2 = C5 * y1 - C1 * y3 + C7 * y5 + C3 * y7;
  float o3 = C7 * y1 - C5 * y3 + C3 * y5 - C1 * y7;
  x[0] = e0 + o0;
  x[7 * step] = e0 - o0;
  x[step] = e1 + o1;
  x[6 * step] = e1 - o1;
  x[2 * step] = e2 + o2;
  x[5 * step] = e2 - o2;
  x[3 * step] = e3 + o3;
  x[4 * step] = e3 - o3;
}

// Keeps the compiler from moving shared-memory accesses across. The lanes that
// share a block are of one warp and run in step, so no barrier is needed.
DEVICE void in_step() { asm volatile("" ::: "memory"); }

// CTAs of 8x4x2 threads transform a tile of 32x16 pixels, eight blocks of 8x8:
// a thread loads and stores a column of a block, and transforms a row and then a
// column of it in shared memory.
template <void (*transform)(float *, int)>
DEVICE void block8x8(float *out, const float *in, int stride) {
  SHARED float t[tileH][ld];
  int tx = tid_x(), bx = tid_y() * n, by = tid_z() * n;
  int x = cta_x() * tileW + bx + tx, y = cta_y() * tileH + by;
#pragma unroll
  for (int i = 0; i < n; i++) t[by + i][bx + tx] = in[(y + i) * stride + x];
  in_step();
  transform(&t[by + tx][bx], 1);
  in_step();
  transform(&t[by][bx + tx], ld);
  in_step();
#pragma unroll
  for (int i = 0; i < n; i++) out[(y + i) * stride + x] = t[by + i][bx + tx];
}

KERNEL CUDAkernel2DCT(float *out, const float *in, int stride) { block8x8<forward>(out, in, stride); }
KERNEL CUDAkernel2IDCT(float *out, const float *in, int stride) { block8x8<inverse>(out, in, stride); }

CONSTANT float quantum[n * n];  // JPEG's luminance table at some quality

// A thread per coefficient, a CTA per block of 8x8.
KERNEL CUDAkernelQuantizationFloat(float *x, int stride) {
  int tx = tid_x(), ty = tid_y();
  float *at = x + (cta_y() * n + ty) * stride + cta_x() * n + tx;
  float q = quantum[ty * n + tx];
  *at = __builtin_rintf(*at / q) * q;
}
