#include "cuda.h"

enum { tileK = 8, tileN = 16, threadsPerCTA = 128 };

// C = alpha A B^T + beta C, all column-major: A is m x k, B is n x k, C is
// m x n. m is a multiple of 128, n of 16, k of 8.
//
// A CTA makes 128 rows by 16 columns. A thread keeps one row of it in sixteen
// accumulators, streams its row of A from memory and reads B, which is staged
// eight columns at a time, from shared memory.
KERNEL sgemm(const float *A, int lda, const float *B, int ldb, float *C, int ldc, int k, float alpha, float beta) {
  SHARED float tile[tileK][tileN];
  int tx = tid_x(), ty = tid_y();
  int row = cta_x() * threadsPerCTA + ty * tileN + tx;
  int col = cta_y() * tileN;

  float acc[tileN];
#pragma unroll
  for (int j = 0; j < tileN; j++) acc[j] = 0;

  const float *a = A + row;
  const float *b = B + col + tx + ty * ldb;
#pragma unroll 1
  for (int i = 0; i < k; i += tileK) {
    tile[ty][tx] = *b;
    b += tileK * ldb;
    barrier();
#pragma unroll
    for (int p = 0; p < tileK; p++) {
      float x = *a;
      a += lda;
#pragma unroll
      for (int j = 0; j < tileN; j++) acc[j] = fma(x, tile[p][j], acc[j]);
    }
    barrier();
  }

  float *c = C + row + col * ldc;
#pragma unroll
  for (int j = 0; j < tileN; j++) {
    *c = alpha * acc[j] + beta * *c;
    c += ldc;
  }
}
