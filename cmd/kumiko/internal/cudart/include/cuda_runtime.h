// The CUDA runtime and the CUDA C++ of kernels, for both parts of a file. kumiko nvcc includes this header before every
// file of CUDA C++. Files of C++ may include it for the functions of the runtime.
#ifndef __KUMIKO_CUDA_RUNTIME_H__
#define __KUMIKO_CUDA_RUNTIME_H__
#ifdef __cplusplus
#define __KUMIKO_APPLICATION 1
#ifdef __CUDA__
#include <stdlib.h>
// Declarations of the device's functions come before <cmath>, whose constexpr functions would take their places.
#include <__clang_cuda_math_forward_declares.h>
#include <assert.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include "kumiko/vectors.h"
#include "kumiko/warp.h"
#include "kumiko/atomics.h"
#include "kumiko/integer.h"
#include "kumiko/spaces.h"
#include "kumiko/overloads.h"
#include "kumiko_device.h"
#include "kumiko/surface.h"
#include "kumiko/texture.h"
#endif
#include "cuda_runtime_api.h"
#ifdef __CUDA__
#include "kumiko_references.h"
// Launches by kernels, for the compiler alone: Thrust names them. A kernel that calls them is refused.
extern "C" {
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void *f, void *args, dim3 grid, dim3 block, unsigned shared, cudaStream_t s);
}
#endif

// The functions of the runtime as templates (CUDA Runtime API, "C++ API Routines").
template <class T> inline cudaError_t cudaMalloc(T **p, size_t n) { return cudaMalloc((void **)p, n); }
template <class T> inline cudaError_t cudaMallocHost(T **p, size_t n, unsigned flags = 0) {
  return cudaHostAlloc((void **)p, n, flags);
}
template <class T> inline cudaError_t cudaHostAlloc(T **p, size_t n, unsigned flags) {
  return cudaHostAlloc((void **)p, n, flags);
}
template <class T> inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags) {
  return cudaHostGetDevicePointer((void **)device, host, flags);
}
template <class T> inline cudaError_t cudaMallocManaged(T **p, size_t n, unsigned flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void **)p, n, flags);
}
template <class T> inline cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t w, size_t h) {
  return cudaMallocPitch((void **)p, pitch, w, h);
}
template <class T> inline cudaError_t cudaMallocAsync(T **p, size_t n, cudaStream_t s) {
  return cudaMallocAsync((void **)p, n, s);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T &s, const void *from, size_t n, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void *)&s, from, n, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &s, size_t n, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, (const void *)&s, n, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T &s, const void *from, size_t n, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void *)&s, from, n, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &s, size_t n, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, (const void *)&s, n, offset, kind, stream);
}
template <class T> inline cudaError_t cudaGetSymbolAddress(void **p, const T &s) {
  return cudaGetSymbolAddress(p, (const void *)&s);
}
template <class T> inline cudaError_t cudaGetSymbolSize(size_t *n, const T &s) {
  return cudaGetSymbolSize(n, (const void *)&s);
}
template <class F> inline cudaError_t cudaLaunchKernel(F *f, dim3 g, dim3 b, void **args, size_t shared = 0,
                                                       cudaStream_t s = 0) {
  return cudaLaunchKernel((const void *)f, g, b, args, shared, s);
}
template <class F> inline cudaError_t cudaLaunchCooperativeKernel(F *f, dim3 g, dim3 b, void **args, size_t shared = 0,
                                                                  cudaStream_t s = 0) {
  return cudaLaunchCooperativeKernel((const void *)f, g, b, args, shared, s);
}
template <class F> inline cudaError_t cudaFuncSetCacheConfig(F *f, cudaFuncCache c) {
  return cudaFuncSetCacheConfig((const void *)f, c);
}
template <class F> inline cudaError_t cudaFuncSetSharedMemConfig(F *f, cudaSharedMemConfig c) {
  return cudaFuncSetSharedMemConfig((const void *)f, c);
}
template <class F> inline cudaError_t cudaFuncSetAttribute(F *f, cudaFuncAttribute a, int v) {
  return cudaFuncSetAttribute((const void *)f, a, v);
}
template <class F> inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, F *f) {
  return cudaFuncGetAttributes(a, (const void *)f);
}
template <class F>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, F *f, int threads, size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(n, (const void *)f, threads, shared);
}
// The block size with the most resident threads; of several the largest.
template <class F>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, F *f, size_t shared = 0, int limit = 0) {
  cudaFuncAttributes a;
  int sms = 0, best = 0;
  cudaError_t e = cudaFuncGetAttributes(&a, (const void *)f);
  if (e == cudaSuccess) e = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  *grid = *block = 0;
  for (int b = limit > 0 && limit < a.maxThreadsPerBlock ? limit : a.maxThreadsPerBlock; e == cudaSuccess && b > 0;
       b = (b - 1) / 32 * 32) {
    int n = 0;
    e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, (const void *)f, b, shared);
    if (n * b > best) best = n * b, *block = b, *grid = n * sms;
  }
  return e;
}
template <class T> struct __k_channel;
#define __K_CHANNEL(T, x, y, z, w, kind)                                                                               \
  template <> struct __k_channel<T> {                                                                                  \
    static cudaChannelFormatDesc of() { return cudaCreateChannelDesc(x, y, z, w, cudaChannelFormatKind##kind); }       \
  };
#define __K_CHANNELS(T, base, bits, kind)                                                                              \
  __K_CHANNEL(T, bits, 0, 0, 0, kind)                                                                                  \
  __K_CHANNEL(base##1, bits, 0, 0, 0, kind)                                                                            \
  __K_CHANNEL(base##2, bits, bits, 0, 0, kind)                                                                         \
  __K_CHANNEL(base##4, bits, bits, bits, bits, kind)
__K_CHANNELS(float, float, 32, Float)
__K_CHANNELS(int, int, 32, Signed)
__K_CHANNELS(unsigned, uint, 32, Unsigned)
__K_CHANNELS(short, short, 16, Signed)
__K_CHANNELS(unsigned short, ushort, 16, Unsigned)
__K_CHANNELS(signed char, char, 8, Signed)
__K_CHANNELS(unsigned char, uchar, 8, Unsigned)
__K_CHANNEL(char, 8, 0, 0, 0, Signed)
#undef __K_CHANNELS
#undef __K_CHANNEL
template <class T> inline cudaChannelFormatDesc cudaCreateChannelDesc() { return __k_channel<T>::of(); }
inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return cudaExtent{w, h, d}; }
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return cudaPos{x, y, z}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t w, size_t h) {
  return cudaPitchedPtr{p, pitch, w, h};
}
#else
#include "cuda_runtime_api.h"
#endif
#endif
