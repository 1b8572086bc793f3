/* Launches, and what a program may ask about kernels. */
#include "kumiko.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct configuration { dim3 grid, block; size_t shared; cudaStream_t stream; };
static __thread struct configuration stack[16]; /* arguments of a launch may themselves launch */
static __thread unsigned depth;

EXPORT unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  if (depth == sizeof stack / sizeof *stack) return (unsigned)k_fail(cudaErrorInvalidConfiguration);
  stack[depth++] = (struct configuration){grid, block, shared, stream};
  return 0;
}
EXPORT cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  if (depth == 0) return k_fail(cudaErrorMissingConfiguration);
  struct configuration *c = &stack[--depth];
  *grid = c->grid, *block = c->block, *shared = c->shared;
  memcpy(stream, &c->stream, sizeof c->stream);
  return cudaSuccess;
}

/* The largest launches (CUDA C++ Programming Guide, technical specifications). */
static int fits(const struct kernel *k, dim3 g, dim3 b, size_t shared) {
  if (!g.x || !g.y || !g.z || !b.x || !b.y || !b.z || g.x > 0x7fffffffu || g.y > 65535 || g.z > 65535) return 0;
  if (b.x > 1024 || b.y > 1024 || b.z > 64 || (uint64_t)b.x * b.y * b.z > k->threads) return 0;
  return shared <= k_device.shared_cta && k->shared + shared <= k_device.shared_cta;
}

static int launch(const void *f, dim3 g, dim3 b, void **args, size_t shared, int cooperative, cudaStream_t stream) {
  struct kernel *k;
  int e = k_kernel(f, &k);
  if (!e) e = k_sticky();
  return e ? e : k_launch(k, g, b, args, shared, cooperative, stream);
}
int k_launch(struct kernel *k, dim3 g, dim3 b, void **args, size_t shared, int cooperative, cudaStream_t stream) {
  if (!fits(k, g, b, shared)) return cudaErrorInvalidConfiguration;
  unsigned char *block = calloc(1, k->bytes + 1);
  if (!block) return cudaErrorMemoryAllocation;
  for (uint32_t i = 0; i < k->count; i++) memcpy(block + k->params[i].offset, args[i], k->params[i].size);
  k_before_launch();
  k_place_managed(block, k->bytes);
  k_begin(KUMIKO_LAUNCH);
  uint32_t head[] = {(uint32_t)k->id, g.x, g.y, g.z, b.x, b.y, b.z, (uint32_t)shared, (uint32_t)cooperative};
  k_put_bytes(head, sizeof head);
  k_put_place(stream, cooperative);
  k_put_written();
  k_put_bytes(block, k->bytes);
  free(block);
  int e = k_call();
  if (e) {
    k_stick(e);
    return e;
  }
  size_t n;
  const char *text = k_rest(&n);
  if (n) fwrite(text, 1, n, stdout); /* printf of the device, in the order of the program's own */
  k_after_launch();
  return 0;
}

EXPORT cudaError_t cudaLaunchKernel(const void *f, dim3 grid, dim3 block, void **args, size_t shared,
                                    cudaStream_t stream) {
  int e = k_enter();
  return e ? k_fail(e) : k_leave(launch(f, grid, block, args, shared, 0, stream));
}
EXPORT cudaError_t cudaLaunchCooperativeKernel(const void *f, dim3 grid, dim3 block, void **args, size_t shared,
                                               cudaStream_t stream) {
  int e = k_enter();
  return e ? k_fail(e) : k_leave(launch(f, grid, block, args, shared, 1, stream));
}

/* The simulated GPU's configuration has the division of its memory. */
EXPORT cudaError_t cudaFuncSetCacheConfig(const void *f, enum cudaFuncCache config) {
  (void)f, (void)config;
  return cudaSuccess;
}
EXPORT cudaError_t cudaFuncSetSharedMemConfig(const void *f, enum cudaSharedMemConfig config) {
  (void)f, (void)config;
  return cudaSuccess;
}
EXPORT cudaError_t cudaFuncSetAttribute(const void *f, enum cudaFuncAttribute attribute, int value) {
  struct kernel *k;
  int e = k_enter();
  if (e) return k_fail(e);
  if (!(e = k_kernel(f, &k)) && attribute == cudaFuncAttributeMaxDynamicSharedMemorySize &&
      (value < 0 || k->shared + (uint32_t)value > k_device.shared_cta))
    e = cudaErrorInvalidValue;
  return k_leave(e);
}
EXPORT cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *f) {
  struct kernel *k;
  int e = k_enter();
  if (e) return k_fail(e);
  if ((e = k_kernel(f, &k))) return k_leave(e);
  memset(a, 0, sizeof *a);
  a->sharedSizeBytes = k->shared, a->constSizeBytes = k->constant, a->localSizeBytes = k->local;
  a->numRegs = (int)k->registers, a->maxThreadsPerBlock = (int)k->threads;
  a->ptxVersion = a->binaryVersion = k_architecture();
  a->maxDynamicSharedSizeBytes = (int)(k_device.shared_cta - k->shared);
  return k_leave(0);
}

static int occupancy(int *blocks, const void *f, int threads, size_t shared) {
  struct kernel *k;
  int e = k_kernel(f, &k);
  if (e) return e;
  if (threads < 1) return cudaErrorInvalidValue;
  k_begin(KUMIKO_OCCUPANCY);
  k_put32((uint32_t)k->id);
  k_put32((uint32_t)threads);
  k_put32((uint32_t)shared);
  if (!(e = k_call())) *blocks = (int)k_get32();
  return e;
}
EXPORT cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *f, int threads,
                                                                 size_t shared) {
  int e = k_enter();
  return e ? k_fail(e) : k_leave(occupancy(blocks, f, threads, shared));
}
