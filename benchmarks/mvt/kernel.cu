#include "cuda.h"

// x1 += A y1, a thread per row: lanes a row apart.
KERNEL mvt_kernel1(int rows, int cols, const float *A, float *x1, const float *y1) {
  int i = global_x();
  if (i >= rows) return;
  for (int j = 0; j < cols; j++) x1[i] += A[i * cols + j] * y1[j];
}

// x2 += A^T y2, a thread per column: coalesced.
KERNEL mvt_kernel2(int rows, int cols, const float *A, float *x2, const float *y2) {
  int j = global_x();
  if (j >= cols) return;
  for (int i = 0; i < rows; i++) x2[j] += A[i * cols + j] * y2[i];
}
