#include "cuda.h"

// C = alpha A B + beta C without blocking, a thread per element: rows of B are
// coalesced, elements of A are the same for a warp.
KERNEL gemm(int ni, int nj, int nk, float alpha, float beta, const float *A, const float *B, float *C) {
  int j = global_x(), i = global_y();
  if (i >= ni || j >= nj) return;
  C[i * nj + j] *= beta;
  for (int k = 0; k < nk; k++) C[i * nj + j] += alpha * A[i * nk + k] * B[k * nj + j];
}
