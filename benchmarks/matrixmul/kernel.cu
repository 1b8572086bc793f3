#include "cuda.h"

enum { tile = 32 };

// C = A B, row-major, in square tiles: every thread loads an element of a tile of
// A and of B into shared memory and sums a row times a column. All extents are
// multiples of the tile.
KERNEL matrixMul(const float *A, const float *B, float *C, int widthA, int widthB) {
  SHARED float a[tile][tile];
  SHARED float b[tile][tile];
  int tx = tid_x(), ty = tid_y();
  int x = cta_x() * tile + tx, y = cta_y() * tile + ty;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < widthA; k += tile) {
    a[ty][tx] = A[y * widthA + k + tx];
    b[ty][tx] = B[(k + ty) * widthB + x];
    barrier();
#pragma unroll
    for (int i = 0; i < tile; i++) sum += a[ty][i] * b[i][tx];
    barrier();
  }
  C[y * widthB + x] = sum;
}
