/* The device, and errors. */
#include "kumiko.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

EXPORT cudaError_t cudaGetLastError(void) { return (cudaError_t)k_take(1); }
EXPORT cudaError_t cudaPeekAtLastError(void) { return (cudaError_t)k_take(0); }
static const struct { int error; const char *name, *text; } errors[] = {
    {0, "cudaSuccess", "no error"},
    {1, "cudaErrorInvalidValue", "invalid argument"},
    {2, "cudaErrorMemoryAllocation", "out of memory"},
    {3, "cudaErrorInitializationError", "initialization error"},
    {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {12, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {13, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {18, "cudaErrorInvalidTexture", "invalid texture reference"},
    {20, "cudaErrorInvalidChannelDescriptor", "invalid channel descriptor"},
    {21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {52, "cudaErrorMissingConfiguration", "__global__ function call is not configured"},
    {98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {200, "cudaErrorInvalidKernelImage", "device kernel image is invalid"},
    {400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {500, "cudaErrorSymbolNotFound", "named symbol not found"},
    {600, "cudaErrorNotReady", "device not ready"},
    {701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {719, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {720, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
    {801, "cudaErrorNotSupported", "operation not supported"},
    {999, "cudaErrorUnknown", "unknown error"},
};
static int find(int error) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (errors[i].error == error) return (int)i;
  return -1;
}
EXPORT const char *cudaGetErrorString(cudaError_t error) {
  int i = find(error);
  return i < 0 ? "unrecognized error code" : errors[i].text;
}
EXPORT const char *cudaGetErrorName(cudaError_t error) {
  int i = find(error);
  return i < 0 ? "unrecognized error code" : errors[i].name;
}

/* Programs of nvcc 11.8 have these structures too. */
_Static_assert(sizeof(struct cudaDeviceProp) == 728 && offsetof(struct cudaDeviceProp, cooperativeLaunch) == 688, "");
_Static_assert(sizeof(struct cudaFuncAttributes) == 56 && sizeof(struct cudaTextureDesc) == 68, "");

static int properties(struct cudaDeviceProp *p) {
  const struct device *d = &k_device;
  memset(p, 0, sizeof *p);
  snprintf(p->name, sizeof p->name, "%s", d->name);
  p->totalGlobalMem = d->memory;
  p->sharedMemPerBlock = d->shared_cta < 49152 ? d->shared_cta : 49152, p->sharedMemPerBlockOptin = d->shared_cta;
  p->sharedMemPerMultiprocessor = d->shared_sm;
  p->regsPerBlock = (int)(d->registers < 65536 ? d->registers : 65536), p->regsPerMultiprocessor = (int)d->registers;
  p->warpSize = 32, p->memPitch = 0x7fffffff, p->maxThreadsPerBlock = 1024;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024, p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 0x7fffffff, p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->clockRate = (int)d->clock_mhz * 1000, p->memoryClockRate = (int)d->memory_mhz * 1000;
  p->memoryBusWidth = (int)d->bus_bits, p->l2CacheSize = (int)d->l2;
  p->totalConstMem = 65536, p->major = k_architecture() / 10, p->minor = k_architecture() % 10;
  p->textureAlignment = 512, p->texturePitchAlignment = 32, p->multiProcessorCount = (int)d->sms;
  p->maxThreadsPerMultiProcessor = (int)d->threads_sm;
  p->maxTexture1D = 65536, p->maxTexture1DLinear = 1 << 27, p->maxTexture2D[0] = p->maxTexture2D[1] = 65536;
  p->maxTexture3D[0] = p->maxTexture3D[1] = p->maxTexture3D[2] = 4096;
  p->canMapHostMemory = p->unifiedAddressing = p->managedMemory = p->cooperativeLaunch = 1;
  /* As every GPU of these architectures has it: programs look at it before they use streams. */
  p->deviceOverlap = p->concurrentKernels = p->asyncEngineCount = 1;
  return 0;
}
EXPORT cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device) {
  if (device != 0) return k_fail(cudaErrorInvalidDevice);
  IN(properties(p));
}
static int attribute(int *v, enum cudaDeviceAttr attr) {
  struct cudaDeviceProp p;
  properties(&p);
  switch (attr) {
  case cudaDevAttrMaxThreadsPerBlock: return *v = p.maxThreadsPerBlock, 0;
  case cudaDevAttrMaxBlockDimX: return *v = p.maxThreadsDim[0], 0;
  case cudaDevAttrMaxBlockDimY: return *v = p.maxThreadsDim[1], 0;
  case cudaDevAttrMaxBlockDimZ: return *v = p.maxThreadsDim[2], 0;
  case cudaDevAttrMaxGridDimX: return *v = p.maxGridSize[0], 0;
  case cudaDevAttrMaxGridDimY: return *v = p.maxGridSize[1], 0;
  case cudaDevAttrMaxGridDimZ: return *v = p.maxGridSize[2], 0;
  case cudaDevAttrMaxSharedMemoryPerBlock: return *v = (int)p.sharedMemPerBlock, 0;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin: return *v = (int)p.sharedMemPerBlockOptin, 0;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return *v = (int)p.sharedMemPerMultiprocessor, 0;
  case cudaDevAttrTotalConstantMemory: return *v = (int)p.totalConstMem, 0;
  case cudaDevAttrWarpSize: return *v = p.warpSize, 0;
  case cudaDevAttrMaxPitch: return *v = (int)p.memPitch, 0;
  case cudaDevAttrMaxRegistersPerBlock: return *v = p.regsPerBlock, 0;
  case cudaDevAttrMaxRegistersPerMultiprocessor: return *v = p.regsPerMultiprocessor, 0;
  case cudaDevAttrClockRate: return *v = p.clockRate, 0;
  case cudaDevAttrMemoryClockRate: return *v = p.memoryClockRate, 0;
  case cudaDevAttrGlobalMemoryBusWidth: return *v = p.memoryBusWidth, 0;
  case cudaDevAttrL2CacheSize: return *v = p.l2CacheSize, 0;
  case cudaDevAttrTextureAlignment: return *v = (int)p.textureAlignment, 0;
  case cudaDevAttrMultiProcessorCount: return *v = p.multiProcessorCount, 0;
  case cudaDevAttrMaxThreadsPerMultiProcessor: return *v = p.maxThreadsPerMultiProcessor, 0;
  case cudaDevAttrComputeCapabilityMajor: return *v = p.major, 0;
  case cudaDevAttrComputeCapabilityMinor: return *v = p.minor, 0;
  case cudaDevAttrCanMapHostMemory:
  case cudaDevAttrUnifiedAddressing:
  case cudaDevAttrManagedMemory:
  case cudaDevAttrCooperativeLaunch:
  case cudaDevAttrGpuOverlap:
  case cudaDevAttrConcurrentKernels:
  case cudaDevAttrAsyncEngineCount: return *v = 1, 0;
  case cudaDevAttrKernelExecTimeout:
  case cudaDevAttrIntegrated:
  case cudaDevAttrComputeMode:
  case cudaDevAttrConcurrentManagedAccess:
  case cudaDevAttrMemoryPoolsSupported: return *v = 0, 0;
  }
  return cudaErrorInvalidValue;
}
EXPORT cudaError_t cudaDeviceGetAttribute(int *v, enum cudaDeviceAttr attr, int device) {
  if (device != 0) return k_fail(cudaErrorInvalidDevice);
  IN(attribute(v, attr));
}

EXPORT cudaError_t cudaGetDeviceCount(int *n) { IN((*n = 1, 0)); }
EXPORT cudaError_t cudaSetDevice(int device) { IN(device == 0 ? 0 : cudaErrorInvalidDevice); }
EXPORT cudaError_t cudaGetDevice(int *device) { IN((*device = 0, 0)); }
EXPORT cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *p) { (void)p; IN((*device = 0, 0)); }
EXPORT cudaError_t cudaSetDeviceFlags(unsigned flags) { (void)flags; return cudaSuccess; }
EXPORT cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  (void)device, (void)peer;
  return *can = 0, cudaSuccess;
}
EXPORT cudaError_t cudaThreadExit(void) { IN(0); }
/* The stack and the output of printf have the limits of Kumiko's own flags. */
EXPORT cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t v) { (void)limit, (void)v; return cudaSuccess; }
EXPORT cudaError_t cudaDeviceGetLimit(size_t *v, enum cudaLimit limit) {
  *v = limit == cudaLimitStackSize ? 16384 : limit == cudaLimitPrintfFifoSize ? 1 << 20 : 8 << 20;
  return cudaSuccess;
}
EXPORT cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache c) { (void)c; return cudaSuccess; }
EXPORT cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache c) { (void)c; return cudaSuccess; }
EXPORT cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *c) {
  return *c = cudaFuncCachePreferNone, cudaSuccess;
}
EXPORT cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig c) { (void)c; return cudaSuccess; }
EXPORT cudaError_t cudaDriverGetVersion(int *v) { return *v = CUDART_VERSION, cudaSuccess; }
EXPORT cudaError_t cudaRuntimeGetVersion(int *v) { return *v = CUDART_VERSION, cudaSuccess; }
EXPORT cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
EXPORT cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

int k_refuse(const char *name) {
  k_begin(KUMIKO_REFUSED);
  k_put_string(name);
  int e = k_call();
  return e ? e : cudaErrorNotSupported;
}
static cudaError_t refuse(const char *name) {
  int e = k_enter();
  return e ? k_fail(e) : k_leave(k_refuse(name));
}
#define __K_REFUSED(name) EXPORT cudaError_t name(void) { return refuse(#name); }
#include "kumiko_refused.h"
