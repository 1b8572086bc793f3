#include "cuda.h"

// s = A^T r, a thread per column: coalesced.
KERNEL bicg_kernel1(int rows, int cols, const float *A, const float *r, float *s) {
  int j = global_x();
  if (j >= cols) return;
  s[j] = 0;
  for (int i = 0; i < rows; i++) s[j] += A[i * cols + j] * r[i];
}

// q = A p, a thread per row: lanes a row apart.
KERNEL bicg_kernel2(int rows, int cols, const float *A, const float *p, float *q) {
  int i = global_x();
  if (i >= rows) return;
  q[i] = 0;
  for (int j = 0; j < cols; j++) q[i] += A[i * cols + j] * p[j];
}
