// What programs of CUDA's first years do, and nvcc compiles.
#include <cstdio>

texture<float> table;
texture<char> letters;
__global__ void letter(int *out) { *out = tex1Dfetch(letters, 1); }

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
  char word[] = {'a', -7}, *device_word;
  int *fetched, second;
  cudaMalloc(&device_word, sizeof word), cudaMalloc(&fetched, sizeof second);
  cudaMemcpy(device_word, word, sizeof word, cudaMemcpyHostToDevice);
  cudaBindTexture(nullptr, letters, device_word, sizeof word);
  letter<<<1, 1>>>(fetched);
  cudaMemcpy(&second, fetched, sizeof second, cudaMemcpyDeviceToHost);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  printf("%c%c %d letter %d overlap %d\n", p.low, p.high, halves, second, prop.deviceOverlap);
}
