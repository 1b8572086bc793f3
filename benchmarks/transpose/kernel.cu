#include "cuda.h"

enum { tile = 32, rowsPerPass = 8 };

// out (cols x rows) = transpose of in (rows x cols), both row-major. A CTA of
// 32x8 threads moves a 32x32 tile through shared memory, so that reads and
// writes are both coalesced; the padding column spreads a column over all banks.
KERNEL transpose(const float *in, float *out, int rows, int cols) {
  SHARED float t[tile][tile + 1];
  int tx = tid_x(), ty = tid_y();
  int x = cta_x() * tile + tx, y = cta_y() * tile + ty;
#pragma unroll
  for (int i = 0; i < tile; i += rowsPerPass)
    if (x < cols && y + i < rows) t[ty + i][tx] = in[(y + i) * cols + x];
  barrier();
  x = cta_y() * tile + tx;
  y = cta_x() * tile + ty;
#pragma unroll
  for (int i = 0; i < tile; i += rowsPerPass)
    if (x < rows && y + i < cols) out[(y + i) * rows + x] = t[tx][ty + i];
}
