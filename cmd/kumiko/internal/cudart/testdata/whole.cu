// An application whose kernel uses functions and variables of part.cu, and a static one before the host does.
#include <cstdio>

extern __device__ float twice(float v);
extern __constant__ float rate;
extern __device__ int hits;
static __device__ int own = 3;

__global__ void go(float *p) {
  p[threadIdx.x] = twice(p[threadIdx.x]) + rate + own;
  atomicAdd(&hits, 1);
}

int main() {
  float h[32], *d, r = 0.5f;
  int n = 0, four = 4;
  for (int i = 0; i < 32; i++) h[i] = i;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(rate, &r, sizeof r);
  cudaMemcpyToSymbol(own, &four, sizeof four);
  go<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&n, hits, sizeof n);
  printf("%g, %d hits, %s\n", h[31], n, cudaGetErrorString(cudaGetLastError()));
}
