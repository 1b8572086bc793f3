#include "cuda.h"

enum { tile = 16 };

// One 16x16 tile of the alignment matrix, a lane per column; the lanes sweep
// its anti-diagonals, first growing and then shrinking.
DEVICE void align(int *score, const int *reference, int cols, int penalty, int bx, int by) {
  SHARED int s[tile + 1][tile + 1];
  SHARED int r[tile][tile];
  int tx = tid_x();
  int at = (by * tile + 1) * cols + bx * tile + 1;  // the tile's first cell
  if (tx == 0) s[0][0] = score[at - cols - 1];
#pragma unroll
  for (int i = 0; i < tile; i++) r[i][tx] = reference[at + i * cols + tx];
  barrier();
  s[tx + 1][0] = score[at + tx * cols - 1];
  barrier();
  s[0][tx + 1] = score[at - cols + tx];
  barrier();
#pragma unroll 1
  for (int step = 0; step < tile; step++) {
    if (tx <= step) {
      int x = tx + 1, y = step - tx + 1;
      s[y][x] = max(max(s[y - 1][x - 1] + r[y - 1][x - 1], s[y][x - 1] - penalty), s[y - 1][x] - penalty);
    }
    barrier();
  }
#pragma unroll 1
  for (int step = tile - 2; step >= 0; step--) {
    if (tx <= step) {
      int x = tx + tile - step, y = tile - tx;
      s[y][x] = max(max(s[y - 1][x - 1] + r[y - 1][x - 1], s[y][x - 1] - penalty), s[y - 1][x] - penalty);
    }
    barrier();
  }
#pragma unroll
  for (int i = 0; i < tile; i++) score[at + i * cols + tx] = s[i + 1][tx + 1];
}

// The upper left triangle of tiles: anti-diagonal `diagonal`, counted from 1.
KERNEL needle_1(int *score, const int *reference, int cols, int penalty, int diagonal) {
  align(score, reference, cols, penalty, cta_x(), diagonal - 1 - cta_x());
}

// The lower right triangle: `diagonal` tiles are left on it.
KERNEL needle_2(int *score, const int *reference, int cols, int penalty, int diagonal, int tiles) {
  align(score, reference, cols, penalty, cta_x() + tiles - diagonal, tiles - 1 - cta_x());
}
