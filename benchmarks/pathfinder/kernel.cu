#include "cuda.h"

enum { width = 256 };

// Advances the least cost of reaching each column by `steps` rows of the wall:
//   r[t+1][x] = wall[t+1][x] + min(r[t][x-1], r[t][x], r[t][x+1]).
// A CTA owns 256 columns, `steps` on each side of which it only computes to
// know the others exactly.
KERNEL pathfinder(const int *wall, const int *from, int *to, int cols, int row, int steps) {
  SHARED int prev[width];
  SHARED int result[width];
  int tx = tid_x();
  int left = (width - 2 * steps) * cta_x() - steps;
  int x = left + tx;
  bool inside = x >= 0 && x < cols;
  if (inside) prev[tx] = from[x];
  int west = max(tx - 1, max(0, -left));
  int east = min(tx + 1, min(width - 1, cols - 1 - left));
  barrier();

  bool mine = false;
#pragma unroll 1
  for (int i = 1; i <= steps; i++) {
    mine = inside && tx >= i && tx < width - i;
    if (mine) {
      int best = min(min(prev[west], prev[tx]), prev[east]);
      result[tx] = best + wall[(row + i) * cols + x];
    }
    barrier();
    if (i == steps) break;
    if (mine) prev[tx] = result[tx];
    barrier();
  }
  if (mine) to[x] = result[tx];
}
