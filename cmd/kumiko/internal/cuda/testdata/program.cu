// A whole program: its host part is read and left out.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cuda_fp16.h>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <limits>
#include <math_constants.h>
#include <numeric>
#include <stdio.h>
#include <string>
#include <sys/time.h>
#include <type_traits>
#include <vector>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    cudaError_t e = (call);                                                                                            \
    if (e != cudaSuccess) {                                                                                            \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e));                                       \
      exit(EXIT_FAILURE);                                                                                              \
    }                                                                                                                  \
  } while (0)

__constant__ float weights[4];
__device__ unsigned counter;

template <class T> struct Pair {
  T a, b;
  __host__ __device__ T sum() const { return a + b; }
};

template <class T, int N>
__global__ void __launch_bounds__(N, 2) saxpy(int n, Pair<T> p, const T *__restrict__ x, T *__restrict__ y) {
  __shared__ T tile[N];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? __ldg(x + i) : std::numeric_limits<T>::max();
  __syncthreads();
  if (i < n) y[i] = p.sum() * tile[threadIdx.x] + y[i] + weights[i & 3];
  if (std::is_same<T, float>::value && i == 0) atomicAdd(&counter, 1u);
}

extern "C" __global__ void largest(const float4 *in, float *out) {
  extern __shared__ float most[];
  float4 v = __ldg(in + threadIdx.x);
  most[threadIdx.x] = std::max(fmaxf(v.x, v.y), fmaxf(v.z, v.w)) * CUDART_PI_F;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) most[threadIdx.x] = max(most[threadIdx.x], most[threadIdx.x + s]);
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = most[0];
}

static double seconds() {
  timeval t;
  gettimeofday(&t, nullptr);
  return t.tv_sec + 1e-6 * t.tv_usec;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
  std::vector<float> x(n, 1.0f), y(n);
  std::iota(y.begin(), y.end(), 0.0f);
  std::string name = std::string(argv[0]) + ".bin";
  float host[4] = {1, 2, 3, 4}, *dx, *dy, milliseconds;
  CHECK(cudaMalloc(&dx, n * sizeof(float)));
  CHECK(cudaMalloc((void **)&dy, n * sizeof(float)));
  CHECK(cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(weights, host, sizeof host));
  cudaEvent_t begin, end;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  cudaEventRecord(begin);
  dim3 block(256), grid((n + block.x - 1) / block.x);
  saxpy<float, 256><<<grid, block>>>(n, Pair<float>{1, 2}, dx, dy);
  largest<<<1, 64, 64 * sizeof(float)>>>((const float4 *)dx, dy);
  CHECK(cudaGetLastError());
  cudaEventRecord(end), cudaEventSynchronize(end);
  cudaEventElapsedTime(&milliseconds, begin, end);
  CHECK(cudaDeviceSynchronize());
  double error = 0, start = seconds();
  for (int i = 0; i < n; i++) error = std::max(error, (double)fabs(y[i] - exp(1.0) * pow(x[i], 2) - sqrt(2)));
  std::cout << std::setprecision(3) << "error " << error << " in " << seconds() - start << std::endl;
  std::ofstream(name).write((const char *)y.data(), n);
  printf("%s %zu\n", name.c_str(), strlen(argv[0]));
  cudaFree(dx), cudaFree(dy);
  return 0;
}
