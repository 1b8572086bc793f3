// What the helpers of CUDA's samples are used for, written anew.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cuda_runtime.h"

inline void __k_check(cudaError_t e, const char *call, const char *file, int line) {
  if (e == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(e));
  exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) __k_check((call), #call, __FILE__, __LINE__)
#define getLastCudaError(text) __k_check(cudaGetLastError(), text, __FILE__, __LINE__)
inline const char *_cudaGetErrorEnum(cudaError_t e) { return cudaGetErrorName(e); }
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int findCudaDevice(int, const char **) { return checkCudaErrors(cudaSetDevice(0)), 0; }
inline bool checkCmdLineFlag(int n, const char **args, const char *name) {
  for (int i = 1; i < n; i++) {
    const char *a = args[i];
    while (*a == '-') a++;
    size_t k = strlen(name);
    if (strncmp(a, name, k) == 0 && (a[k] == 0 || a[k] == '=')) return true;
  }
  return false;
}
inline int getCmdLineArgumentInt(int n, const char **args, const char *name) {
  for (int i = 1; i < n; i++) {
    const char *a = args[i];
    while (*a == '-') a++;
    size_t k = strlen(name);
    if (strncmp(a, name, k) == 0 && a[k] == '=') return atoi(a + k + 1);
  }
  return 0;
}
