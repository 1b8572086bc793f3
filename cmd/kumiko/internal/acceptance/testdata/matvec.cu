#include "device.h"

typedef float float4 __attribute__((ext_vector_type(4)));
DYNSHARED float4 stage[];

// y = A x, a CTA per row, 16-byte loads, x staged in dynamic shared memory,
// partial sums reduced by warp-synchronous code through volatile memory.
KERNEL matvec(const float4 *A, const float4 *x, float *y, int columns4) {
  for (int c = tidx; c < columns4; c += ntidx) stage[c] = x[c];
  volatile float *part = (float *)(stage + columns4);
  __syncthreads();
  float s = 0;
  for (int c = tidx; c < columns4; c += ntidx) {
    float4 a = A[ctax * columns4 + c], b = stage[c];
    s += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  part[tidx] = s;
  __syncthreads();
  for (int d = 64; d >= 32; d /= 2) {
    if (tidx < d) part[tidx] += part[tidx + d];
    __syncthreads();
  }
  if (tidx < 32) {
    if (tidx < 16) part[tidx] += part[tidx + 16];
    if (tidx < 8) part[tidx] += part[tidx + 8];
    if (tidx < 4) part[tidx] += part[tidx + 4];
    if (tidx < 2) part[tidx] += part[tidx + 2];
    if (tidx < 1) y[ctax] = part[0] + part[1];
  }
}
