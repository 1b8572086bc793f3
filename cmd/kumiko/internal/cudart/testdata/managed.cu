// An application with managed variables, read and written by both sides.
#include <cstdio>

struct pair { int n; double v; };
__device__ __managed__ int counter = 5;
__managed__ float list[4] = {1, 2, 3, 4};
static __managed__ pair both;
__managed__ int *into;

__global__ void work(float *q, pair p, int *third) {
  counter++;
  list[threadIdx.x] *= 2;
  if (threadIdx.x == 0) q[3] += 100, both.v = both.n + p.n, *third = 7;
}

int main() {
  printf("%d %g %g\n", counter, list[3], both.v);
  counter = 10, list[1] = 7, both.n = 3;
  int *third, change = 40;
  cudaMallocManaged(&third, sizeof *third);
  work<<<1, 4>>>(list, both, third); // the address of a managed variable
  cudaDeviceSynchronize();
  printf("%d, %g %g %g, %g, %d\n", counter, list[0], list[1], list[3], both.v, *third);
  cudaMemcpyToSymbol(counter, &change, sizeof change);
  cudaMemset(list, 0, sizeof list);
  cudaMemPrefetchAsync(list, sizeof list, 0);
  work<<<1, 4>>>(list, both, third);
  cudaMemcpyFromSymbol(&change, counter, sizeof change);
  float *address;
  cudaGetSymbolAddress((void **)&address, list);
  printf("%d %d, %g %g, %s\n", change, counter, address[3], list[0], cudaGetErrorString(cudaGetLastError()));
  return 0;
}
