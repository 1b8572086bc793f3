#include "device.h"
#pragma clang fp contract(off)

// Iterations to escape, CTAs of 5x5 threads: one partial warp each.
KERNEL mandelbrot(u16 *out, int width, int height, float x0, float y0, float step, int limit) {
  int px = ctax * ntidx + tidx, py = ctay * ntidy + tidy;
  if (px >= width || py >= height) return;
  float cx = x0 + step * (float)px, cy = y0 + step * (float)py, x = 0, y = 0;
  int k = 0;
  for (; k < limit; k++) {
    float xx = x * x, yy = y * y;
    if (xx + yy > 4) break;
    y = 2 * x * y + cy;
    x = xx - yy + cx;
  }
  out[py * width + px] = k;
}
