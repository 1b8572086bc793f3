#ifndef PAD
#define PAD 0
#endif

// Transposes a square matrix by tiles of 32 x 32 in shared memory, and scales it.
__global__ void tile(const float *in, float *out, int n) {
  __shared__ float t[32][32 + PAD];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    t[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    out[(y + i) * n + x] = 2.0f * t[threadIdx.x][threadIdx.y + i] + 1.0f;
}
