/* Functions whose default stream is that of the thread: a program has them that nvcc compiles with --default-stream
   per-thread (CUDA Runtime API, "Stream synchronization behavior"). */
#include "kumiko.h"

#define OWN(s) ((s) ? (s) : cudaStreamPerThread)

EXPORT cudaError_t cudaMemcpy_ptds(void *to, const void *from, size_t size, enum cudaMemcpyKind kind) {
  return ON(cudaStreamPerThread, 0, cudaMemcpy(to, from, size, kind));
}
EXPORT cudaError_t cudaMemcpyToSymbol_ptds(const void *symbol, const void *from, size_t size, size_t offset,
                                           enum cudaMemcpyKind kind) {
  return ON(cudaStreamPerThread, 0, cudaMemcpyToSymbol(symbol, from, size, offset, kind));
}
EXPORT cudaError_t cudaMemcpyFromSymbol_ptds(void *to, const void *symbol, size_t size, size_t offset,
                                             enum cudaMemcpyKind kind) {
  return ON(cudaStreamPerThread, 0, cudaMemcpyFromSymbol(to, symbol, size, offset, kind));
}
EXPORT cudaError_t cudaMemcpy2D_ptds(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                     size_t height, enum cudaMemcpyKind kind) {
  return ON(cudaStreamPerThread, 0, cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind));
}
EXPORT cudaError_t cudaMemcpyToArray_ptds(cudaArray_t to, size_t x, size_t y, const void *from, size_t size,
                                          enum cudaMemcpyKind kind) {
  return ON(cudaStreamPerThread, 0, cudaMemcpyToArray(to, x, y, from, size, kind));
}
EXPORT cudaError_t cudaMemcpyFromArray_ptds(void *to, cudaArray_const_t from, size_t x, size_t y, size_t size,
                                            enum cudaMemcpyKind kind) {
  return ON(cudaStreamPerThread, 0, cudaMemcpyFromArray(to, from, x, y, size, kind));
}
EXPORT cudaError_t cudaMemcpy2DToArray_ptds(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                            size_t width, size_t height, enum cudaMemcpyKind kind) {
  return ON(cudaStreamPerThread, 0, cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind));
}
EXPORT cudaError_t cudaMemcpy2DFromArray_ptds(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                              size_t width, size_t height, enum cudaMemcpyKind kind) {
  return ON(cudaStreamPerThread, 0, cudaMemcpy2DFromArray(to, pitch, from, x, y, width, height, kind));
}
EXPORT cudaError_t cudaMemcpyArrayToArray_ptds(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                               size_t from_x, size_t from_y, size_t size, enum cudaMemcpyKind kind) {
  return ON(cudaStreamPerThread, 0, cudaMemcpyArrayToArray(to, to_x, to_y, from, from_x, from_y, size, kind));
}
EXPORT cudaError_t cudaMemcpy3D_ptds(const struct cudaMemcpy3DParms *p) {
  return ON(cudaStreamPerThread, 0, cudaMemcpy3D(p));
}
EXPORT cudaError_t cudaMemset_ptds(void *p, int value, size_t size) {
  return ON(cudaStreamPerThread, 0, cudaMemset(p, value, size));
}
EXPORT cudaError_t cudaMemset2D_ptds(void *p, size_t pitch, int value, size_t width, size_t height) {
  return ON(cudaStreamPerThread, 0, cudaMemset2D(p, pitch, value, width, height));
}
EXPORT cudaError_t cudaMemset3D_ptds(struct cudaPitchedPtr p, int value, struct cudaExtent extent) {
  return ON(cudaStreamPerThread, 0, cudaMemset3D(p, value, extent));
}
EXPORT cudaError_t cudaMemcpyAsync_ptsz(void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
                                        cudaStream_t stream) {
  return cudaMemcpyAsync(to, from, size, kind, OWN(stream));
}
EXPORT cudaError_t cudaMemcpyToSymbolAsync_ptsz(const void *symbol, const void *from, size_t size, size_t offset,
                                                enum cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpyToSymbolAsync(symbol, from, size, offset, kind, OWN(stream));
}
EXPORT cudaError_t cudaMemcpyFromSymbolAsync_ptsz(void *to, const void *symbol, size_t size, size_t offset,
                                                  enum cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpyFromSymbolAsync(to, symbol, size, offset, kind, OWN(stream));
}
EXPORT cudaError_t cudaMemcpy2DAsync_ptsz(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                          size_t width, size_t height, enum cudaMemcpyKind kind,
                                          cudaStream_t stream) {
  return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, OWN(stream));
}
EXPORT cudaError_t cudaMemcpyToArrayAsync_ptsz(cudaArray_t to, size_t x, size_t y, const void *from, size_t size,
                                               enum cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpyToArrayAsync(to, x, y, from, size, kind, OWN(stream));
}
EXPORT cudaError_t cudaMemcpyFromArrayAsync_ptsz(void *to, cudaArray_const_t from, size_t x, size_t y, size_t size,
                                                 enum cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpyFromArrayAsync(to, from, x, y, size, kind, OWN(stream));
}
EXPORT cudaError_t cudaMemcpy2DToArrayAsync_ptsz(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                                 size_t width, size_t height, enum cudaMemcpyKind kind,
                                                 cudaStream_t stream) {
  return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, OWN(stream));
}
EXPORT cudaError_t cudaMemcpy2DFromArrayAsync_ptsz(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                                   size_t y, size_t width, size_t height, enum cudaMemcpyKind kind,
                                                   cudaStream_t stream) {
  return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, OWN(stream));
}
EXPORT cudaError_t cudaMemcpy3DAsync_ptsz(const struct cudaMemcpy3DParms *p, cudaStream_t stream) {
  return cudaMemcpy3DAsync(p, OWN(stream));
}
EXPORT cudaError_t cudaMemsetAsync_ptsz(void *p, int value, size_t size, cudaStream_t stream) {
  return cudaMemsetAsync(p, value, size, OWN(stream));
}
EXPORT cudaError_t cudaMemset2DAsync_ptsz(void *p, size_t pitch, int value, size_t width, size_t height,
                                          cudaStream_t stream) {
  return cudaMemset2DAsync(p, pitch, value, width, height, OWN(stream));
}
EXPORT cudaError_t cudaMemset3DAsync_ptsz(struct cudaPitchedPtr p, int value, struct cudaExtent extent,
                                          cudaStream_t stream) {
  return cudaMemset3DAsync(p, value, extent, OWN(stream));
}
EXPORT cudaError_t cudaMallocAsync_ptsz(void **p, size_t size, cudaStream_t stream) {
  return cudaMallocAsync(p, size, OWN(stream));
}
EXPORT cudaError_t cudaFreeAsync_ptsz(void *p, cudaStream_t stream) {
  return cudaFreeAsync(p, OWN(stream));
}
EXPORT cudaError_t cudaMemPrefetchAsync_ptsz(const void *p, size_t size, int device, cudaStream_t stream) {
  return cudaMemPrefetchAsync(p, size, device, OWN(stream));
}
EXPORT cudaError_t cudaStreamQuery_ptsz(cudaStream_t stream) {
  return cudaStreamQuery(OWN(stream));
}
EXPORT cudaError_t cudaStreamGetPriority_ptsz(cudaStream_t stream, int *priority) {
  return cudaStreamGetPriority(OWN(stream), priority);
}
EXPORT cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t stream) {
  return cudaStreamSynchronize(OWN(stream));
}
EXPORT cudaError_t cudaStreamWaitEvent_ptsz(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return cudaStreamWaitEvent(OWN(stream), event, flags);
}
EXPORT cudaError_t cudaStreamAddCallback_ptsz(cudaStream_t stream, cudaStreamCallback_t f, void *data,
                                              unsigned flags) {
  return cudaStreamAddCallback(OWN(stream), f, data, flags);
}
EXPORT cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t f, void *data) {
  return cudaLaunchHostFunc(OWN(stream), f, data);
}
EXPORT cudaError_t cudaEventRecord_ptsz(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecord(event, OWN(stream));
}
EXPORT cudaError_t cudaEventRecordWithFlags_ptsz(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return cudaEventRecordWithFlags(event, OWN(stream), flags);
}
EXPORT cudaError_t cudaLaunchKernel_ptsz(const void *f, dim3 grid, dim3 block, void **args, size_t shared,
                                         cudaStream_t stream) {
  return cudaLaunchKernel(f, grid, block, args, shared, OWN(stream));
}
EXPORT cudaError_t cudaLaunchCooperativeKernel_ptsz(const void *f, dim3 grid, dim3 block, void **args, size_t shared,
                                                    cudaStream_t stream) {
  return cudaLaunchCooperativeKernel(f, grid, block, args, shared, OWN(stream));
}

/* The same of the driver API. */
#include "cuda.h"

EXPORT CUresult cuMemcpyHtoD_ptds(CUdeviceptr to, const void *from, size_t size) {
  return CU_ON(cudaStreamPerThread, 0, cuMemcpyHtoD(to, from, size));
}
EXPORT CUresult cuMemcpyDtoH_ptds(void *to, CUdeviceptr from, size_t size) {
  return CU_ON(cudaStreamPerThread, 0, cuMemcpyDtoH(to, from, size));
}
EXPORT CUresult cuMemcpyDtoD_ptds(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return CU_ON(cudaStreamPerThread, 0, cuMemcpyDtoD(to, from, size));
}
EXPORT CUresult cuMemsetD8_ptds(CUdeviceptr p, unsigned char value, size_t count) {
  return CU_ON(cudaStreamPerThread, 0, cuMemsetD8(p, value, count));
}
EXPORT CUresult cuMemsetD16_ptds(CUdeviceptr p, unsigned short value, size_t count) {
  return CU_ON(cudaStreamPerThread, 0, cuMemsetD16(p, value, count));
}
EXPORT CUresult cuMemsetD32_ptds(CUdeviceptr p, unsigned value, size_t count) {
  return CU_ON(cudaStreamPerThread, 0, cuMemsetD32(p, value, count));
}
EXPORT CUresult cuMemcpyHtoDAsync_ptsz(CUdeviceptr to, const void *from, size_t size, CUstream stream) {
  return cuMemcpyHtoDAsync(to, from, size, OWN(stream));
}
EXPORT CUresult cuMemcpyDtoHAsync_ptsz(void *to, CUdeviceptr from, size_t size, CUstream stream) {
  return cuMemcpyDtoHAsync(to, from, size, OWN(stream));
}
EXPORT CUresult cuMemcpyDtoDAsync_ptsz(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  return cuMemcpyDtoDAsync(to, from, size, OWN(stream));
}
EXPORT CUresult cuMemsetD8Async_ptsz(CUdeviceptr p, unsigned char value, size_t count, CUstream stream) {
  return cuMemsetD8Async(p, value, count, OWN(stream));
}
EXPORT CUresult cuMemsetD16Async_ptsz(CUdeviceptr p, unsigned short value, size_t count, CUstream stream) {
  return cuMemsetD16Async(p, value, count, OWN(stream));
}
EXPORT CUresult cuMemsetD32Async_ptsz(CUdeviceptr p, unsigned value, size_t count, CUstream stream) {
  return cuMemsetD32Async(p, value, count, OWN(stream));
}
EXPORT CUresult cuLaunchKernel_ptsz(CUfunction f, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                    unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                    CUstream stream, void **parameters, void **extra) {
  return cuLaunchKernel(f, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, OWN(stream), parameters, extra);
}
EXPORT CUresult cuLaunchHostFunc_ptsz(CUstream stream, CUhostFn f, void *data) {
  return cuLaunchHostFunc(OWN(stream), f, data);
}
EXPORT CUresult cuStreamQuery_ptsz(CUstream stream) {
  return cuStreamQuery(OWN(stream));
}
EXPORT CUresult cuStreamSynchronize_ptsz(CUstream stream) {
  return cuStreamSynchronize(OWN(stream));
}
EXPORT CUresult cuStreamWaitEvent_ptsz(CUstream stream, CUevent event, unsigned flags) {
  return cuStreamWaitEvent(OWN(stream), event, flags);
}
EXPORT CUresult cuEventRecord_ptsz(CUevent event, CUstream stream) {
  return cuEventRecord(event, OWN(stream));
}
