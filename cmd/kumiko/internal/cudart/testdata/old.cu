// What programs of CUDA's first years do, and nvcc compiles.
#include <cstdio>

texture<float> table;

struct pair { // narrowing in braces
  unsigned char low, high;
};
__global__ void narrow(unsigned short v, pair *out) { *out = {v & 255, v >> 8}; }

// A function without its return statement, whose callers look at no value.
bool half(int n, int *out) {
  *out = 0;
  while (n > 1) n -= 2, ++*out;
}

int main() {
  pair *device, p;
  int halves;
  cudaMalloc(&device, sizeof p);
  narrow<<<1, 1>>>(0x4142, device);
  cudaMemcpy(&p, device, sizeof p, cudaMemcpyDeviceToHost);
  half(9, &halves);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  printf("%c%c %d overlap %d\n", p.low, p.high, halves, prop.deviceOverlap);
}
