#include "device.h"

// A sparse matrix in compressed rows times a vector: a thread per row, and a
// warp per row.
KERNEL scalar(const int *start, const int *column, const int *value, const int *x, int *y, int rows) {
  int r = gidx;
  if (r >= rows) return;
  int s = 0;
  for (int k = start[r]; k < start[r + 1]; k++) s += value[k] * x[column[k]];
  y[r] = s;
}

KERNEL vector(const int *start, const int *column, const int *value, const int *x, int *y, int rows) {
  int r = ctax * ntidy + tidy;
  if (r >= rows) return;
  int s = 0;
  for (int k = start[r] + tidx; k < start[r + 1]; k += 32) s += value[k] * x[column[k]];
  for (int d = 16; d; d /= 2) s += __nvvm_shfl_sync_bfly_i32(-1, s, d, 31);
  if (tidx == 0) y[r] = s;
}
