/* Forms of functions that are elsewhere: with a stream, with flags, or under an older name. */
#include "kumiko.h"

EXPORT cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int v, size_t w, size_t h, cudaStream_t s) {
  return ON(s, 1, cudaMemset2D(p, pitch, v, w, h));
}
EXPORT cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int v, struct cudaExtent n, cudaStream_t s) {
  return ON(s, 1, cudaMemset3D(p, v, n));
}
EXPORT cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t n,
                                          enum cudaMemcpyKind kind, cudaStream_t s) {
  return ON(s, 1, cudaMemcpyToArray(to, x, y, from, n, kind));
}
EXPORT cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t n,
                                            enum cudaMemcpyKind kind, cudaStream_t s) {
  return ON(s, 1, cudaMemcpyFromArray(to, from, x, y, n, kind));
}
EXPORT cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                            size_t w, size_t h, enum cudaMemcpyKind kind, cudaStream_t s) {
  return ON(s, 1, cudaMemcpy2DToArray(to, x, y, from, pitch, w, h, kind));
}
EXPORT cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                              size_t w, size_t h, enum cudaMemcpyKind kind, cudaStream_t s) {
  return ON(s, 1, cudaMemcpy2DFromArray(to, pitch, from, x, y, w, h, kind));
}
EXPORT cudaError_t cudaEventRecordWithFlags(cudaEvent_t v, cudaStream_t s, unsigned flags) {
  (void)flags;
  return cudaEventRecord(v, s);
}
EXPORT cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *f, int threads,
                                                                          size_t shared, unsigned flags) {
  (void)flags; /* about a cache of GPUs before Maxwell */
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, threads, shared);
}
EXPORT cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t v) { return cudaDeviceSetLimit(limit, v); }
EXPORT cudaError_t cudaThreadGetLimit(size_t *v, enum cudaLimit limit) { return cudaDeviceGetLimit(v, limit); }
EXPORT cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *c) { return cudaDeviceGetCacheConfig(c); }
EXPORT cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *d, cudaArray_const_t a) {
  return cudaArrayGetInfo(d, NULL, NULL, (cudaArray_t)a);
}
EXPORT cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) { /* all streams are alike */
  if (least) *least = 0;
  if (greatest) *greatest = 0;
  return cudaSuccess;
}
EXPORT cudaError_t cudaStreamGetPriority(cudaStream_t s, int *priority) {
  (void)s;
  return *priority = 0, cudaSuccess;
}
EXPORT cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *c) {
  return *c = cudaSharedMemBankSizeFourByte, cudaSuccess;
}
