// Writes each cudaMemcpy of a program to the file observed.bin, for programs that print none of their results: the
// direction and the number of bytes as two 64-bit numbers, and the bytes. The direction is 1 to the device, 2 from it.
#pragma once
#include <cuda_runtime.h>
#include <stdio.h>
static inline cudaError_t observed_copy(void *to, const void *from, size_t n, enum cudaMemcpyKind kind) {
  cudaError_t e = cudaMemcpy(to, from, n, kind);
  FILE *f = fopen("observed.bin", "ab");
  long long head[2] = {kind, (long long)n};
  if (f && (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToHost)) {
    fwrite(head, sizeof head, 1, f);
    fwrite(kind == cudaMemcpyHostToDevice ? from : to, 1, n, f);
  }
  if (f) fclose(f);
  return e;
}
#define cudaMemcpy(to, from, n, kind) observed_copy(to, from, n, kind)
