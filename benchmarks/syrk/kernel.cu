#include "cuda.h"

// C = beta C + alpha A A^T, a thread per element of C (n x n): lanes read rows
// of A that lie a row apart.
KERNEL syrk(int n, int m, float alpha, float beta, const float *A, float *C) {
  int j = global_x(), i = global_y();
  if (i >= n || j >= n) return;
  C[i * n + j] *= beta;
  for (int k = 0; k < m; k++) C[i * n + j] += alpha * A[i * m + k] * A[j * m + k];
}
