#include "cuda.h"

// C = beta C + alpha A B^T + alpha B A^T, a thread per element of C (n x n).
KERNEL syr2k(int n, int m, float alpha, float beta, const float *A, const float *B, float *C) {
  int j = global_x(), i = global_y();
  if (i >= n || j >= n) return;
  C[i * n + j] *= beta;
  for (int k = 0; k < m; k++) C[i * n + j] += alpha * A[i * m + k] * B[j * m + k] + alpha * B[i * m + k] * A[j * m + k];
}
