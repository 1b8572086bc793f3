#include "cuda.h"

DEVICE float *row(float *m, int n, int i) { return m + n * i; }
DEVICE const float *row(const float *m, int n, int i) { return m + n * i; }

// Multipliers of step t of the elimination: column t below the diagonal over
// the pivot. A thread per row, so accesses lie a row apart.
KERNEL Fan1(float *m, const float *a, int n, int t) {
  int i = global_x();
  if (i >= n - 1 - t) return;
  row(m, n, i + t + 1)[t] = row(a, n, i + t + 1)[t] / row(a, n, t)[t];
}

// Subtracts the multiplied pivot row from the rows below it. x walks the rows,
// so the lanes of a warp are a row apart; CTAs of 4x4 threads fill half a warp.
KERNEL Fan2(const float *m, float *a, float *b, int n, int t) {
  int x = global_x(), y = global_y();
  if (x >= n - 1 - t || y >= n - t) return;
  int row = x + t + 1;
  a[n * row + y + t] -= m[n * row + t] * a[n * t + y + t];
  if (y == 0) b[row] -= m[n * row + t] * b[t];
}
