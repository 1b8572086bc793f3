// An application with random numbers. Its output was made with NVIDIA's curand_kernel.h too (CUDA 11.8).
#include <cstdio>
#include <cuda_fp16.h>
#include <curand_kernel.h>

struct numbers {
  unsigned bits[11];
  float single[9];
  double twice[5];
};

template <class S> __device__ void both(S *s, numbers *n) {
  unsigned *b = n->bits;
  float *f = n->single;
  double *d = n->twice;
  for (int i = 0; i < 5; i++) *b++ = curand(s);
  *f++ = curand_uniform(s), *f++ = curand_normal(s), *f++ = curand_normal(s), *f++ = curand_normal(s);
  *f++ = curand_log_normal(s, 0.5f, 2.0f);
  float2 pair = curand_normal2(s);
  *f++ = pair.x;
  *d++ = curand_uniform_double(s), *d++ = curand_normal_double(s), *d++ = curand_normal_double(s);
  double2 two = curand_normal2_double(s);
  *d++ = two.y;
  *b++ = curand(s);
  skipahead(1001ull, s);
  *b++ = curand(s);
  skipahead_sequence(3ull, s);
  *b++ = curand(s);
}

__global__ void draw(unsigned long long seed, unsigned long long sequence, unsigned long long offset, numbers *n) {
  curandState xorwow;
  curand_init(seed, sequence, offset, &xorwow);
  both(&xorwow, &n[0]);
  curandStatePhilox4_32_10_t philox;
  curand_init(seed, sequence, offset, &philox);
  both(&philox, &n[1]);
  for (int i = 0; i < 3; i++) { // from each place in a block
    uint4 v = curand4(&philox);
    n[1].bits[8 + i] = v.x ^ v.y ^ v.z ^ v.w;
    curand(&philox);
  }
  float4 u = curand_uniform4(&philox), g = curand_normal4(&philox);
  n[1].single[6] = u.z, n[1].single[7] = g.x, n[1].single[8] = g.w;
  n[1].twice[4] = curand_uniform2_double(&philox).y;
}

int main() {
  unsigned long long cases[][3] = {{0, 0, 0}, {1234, 5, 0}, {0x123456789abcdef, 77777, 1000003}, {42, 1ull << 40, 3}};
  numbers *n;
  cudaMallocManaged(&n, 2 * sizeof *n);
  for (auto &c : cases) {
    cudaMemset(n, 0, 2 * sizeof *n);
    draw<<<1, 1>>>(c[0], c[1], c[2], n);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2; i++) {
      printf(i ? " philox" : "xorwow");
      for (unsigned b : n[i].bits) printf(" %08x", b);
      for (float f : n[i].single) printf(" %.6g", f);
      for (double d : n[i].twice) printf(" %.10g", d);
      printf("\n");
    }
  }
  return 0;
}
