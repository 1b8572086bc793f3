#include "cuda.h"

// tmp = A x, a thread per row: lanes walk rows that lie a row apart, and the sum
// is kept in memory.
KERNEL atax_kernel1(int rows, int cols, const float *A, const float *x, float *tmp) {
  int i = global_x();
  if (i >= rows) return;
  tmp[i] = 0;
  for (int j = 0; j < cols; j++) tmp[i] += A[i * cols + j] * x[j];
}

// y = A^T tmp, a thread per column: coalesced.
KERNEL atax_kernel2(int rows, int cols, const float *A, float *y, const float *tmp) {
  int j = global_x();
  if (j >= cols) return;
  y[j] = 0;
  for (int i = 0; i < rows; i++) y[j] += A[i * cols + j] * tmp[i];
}
