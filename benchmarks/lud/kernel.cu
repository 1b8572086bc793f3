#include "cuda.h"

enum { tile = 16 };

// The kernels step through the matrix by running offsets, as the published ones.

// Factors the 16x16 tile on the diagonal at `at`, half a warp with a lane per
// row or column.
KERNEL lud_diagonal(float *m, int n, int at) {
  SHARED float s[tile][tile];
  int tx = tid_x();
  int row = at * n + at;
  for (int i = 0; i < tile; i++, row += n) s[i][tx] = m[row + tx];
  barrier();
#pragma unroll 1
  for (int i = 0; i < tile - 1; i++) {
    if (tx > i) {
      for (int j = 0; j < i; j++) s[tx][i] -= s[tx][j] * s[j][i];
      s[tx][i] /= s[i][i];
    }
    barrier();
    if (tx > i)
      for (int j = 0; j < i + 1; j++) s[i + 1][tx] -= s[i + 1][j] * s[j][tx];
    barrier();
  }
  row = (at + 1) * n + at;
  for (int i = 1; i < tile; i++, row += n) m[row + tx] = s[i][tx];
}

// Solves the triangular systems of one tile to the right of the diagonal tile
// and one below it. The lower half of the warp does the one, the upper half the
// other, so the warp is diverged almost throughout.
KERNEL lud_perimeter(float *m, int n, int at) {
  SHARED float dia[tile][tile];
  SHARED float row[tile][tile];
  SHARED float col[tile][tile];
  bool upper = tid_x() < tile;
  int lane = upper ? tid_x() : tid_x() - tile;
  int right = (cta_x() + 1) * tile;  // from the diagonal tile to the right one, and to the one below

  if (upper) {
    int from = at * n + at;
    for (int i = 0; i < tile / 2; i++, from += n) dia[i][lane] = m[from + lane];
    from = at * n + at;
    for (int i = 0; i < tile; i++, from += n) row[i][lane] = m[from + right + lane];
  } else {
    int from = (at + tile / 2) * n + at;
    for (int i = tile / 2; i < tile; i++, from += n) dia[i][lane] = m[from + lane];
    from = (at + right) * n + at;
    for (int i = 0; i < tile; i++, from += n) col[i][lane] = m[from + lane];
  }
  barrier();
  if (upper) {
    for (int i = 1; i < tile; i++)
      for (int j = 0; j < i; j++) row[i][lane] -= dia[i][j] * row[j][lane];
  } else {
    for (int i = 0; i < tile; i++) {
      for (int j = 0; j < i; j++) col[lane][i] -= col[lane][j] * dia[j][i];
      col[lane][i] /= dia[i][i];
    }
  }
  barrier();
  if (upper) {
    int to = (at + 1) * n + at;
    for (int i = 1; i < tile; i++, to += n) m[to + right + lane] = row[i][lane];
  } else {
    int to = (at + right) * n + at;
    for (int i = 0; i < tile; i++, to += n) m[to + lane] = col[i][lane];
  }
}

// Subtracts the product of the two panels from a tile of the rest.
KERNEL lud_internal(float *m, int n, int at) {
  SHARED float row[tile][tile];
  SHARED float col[tile][tile];
  int tx = tid_x(), ty = tid_y();
  int x = at + (cta_x() + 1) * tile + tx;
  int y = at + (cta_y() + 1) * tile + ty;
  row[ty][tx] = m[(at + ty) * n + x];
  col[ty][tx] = m[y * n + at + tx];
  barrier();
  float sum = 0;
#pragma unroll
  for (int i = 0; i < tile; i++) sum += col[ty][i] * row[i][tx];
  m[y * n + x] -= sum;
}
