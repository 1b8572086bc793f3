#include "device.h"

enum { W = 7, H = 5, D = 3 };

// A CTA of 7x5x3 threads (105: the last warp is partial) relaxes its own block
// of an integer grid with fixed borders, a barrier on either side of each step.
KERNEL relax(int *grid, int nx, int ny, int steps) {
  SHARED int tile[2][D][H][W];
  int x = ctax * W + tidx, y = ctay * H + tidy, z = ctaz * D + tidz;
  int at = (z * ny + y) * nx + x;
  tile[0][tidz][tidy][tidx] = grid[at];
  __syncthreads();
  int from = 0;
  for (int s = 0; s < steps; s++) {
    int (*t)[H][W] = tile[from];
    int v = t[tidz][tidy][tidx];
    if (tidx > 0 && tidx < W - 1 && tidy > 0 && tidy < H - 1) {
      v += t[tidz][tidy][tidx - 1] + t[tidz][tidy][tidx + 1];
      if (tidz > 0) v -= t[tidz - 1][tidy][tidx];
      if (tidz < D - 1) v ^= t[tidz + 1][tidy - 1][tidx];
    }
    tile[1 - from][tidz][tidy][tidx] = v;
    __syncthreads();
    from = 1 - from;
  }
  grid[at] = tile[from][tidz][tidy][tidx];
}
