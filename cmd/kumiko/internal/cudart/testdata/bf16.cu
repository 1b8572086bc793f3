// An application with bfloat16, on both sides.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void compute(const __nv_bfloat16 *a, const __nv_bfloat16 *b, __nv_bfloat16 *out) {
  out[0] = a[0] + b[0], out[1] = a[0] * b[0], out[2] = a[0] / b[0], out[3] = __hfma(a[0], b[0], a[1]);
  out[4] = a[0] < b[0] ? __hmax(a[0], b[0]) : -a[0];
  out[5] = __hadd2(__halves2bfloat162(a[0], a[1]), __float2bfloat162_rn(1)).y;
  out[6] = a[2] + b[2];
  out[7] = hsqrt(a[0]);
}

int main() {
  // 257 is between the bfloat16 256 and 258, and has the even one; 259 goes to 260.
  __nv_bfloat16 a[] = {3.0f, 0.5f, 257.0f}, b[] = {7.0f, 1.0f, 259.0f}, out[8], *da, *db, *d;
  cudaMalloc(&da, sizeof a), cudaMalloc(&db, sizeof b), cudaMalloc(&d, sizeof out);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice), cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  compute<<<1, 1>>>(da, db, d);
  cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost);
  for (__nv_bfloat16 v : out) printf("%g ", (float)v);
  printf("%#x %g %g\n", __bfloat16_as_ushort(__float2bfloat16(-2.0f)), (float)a[2], (float)b[2]);
  return 0;
}
