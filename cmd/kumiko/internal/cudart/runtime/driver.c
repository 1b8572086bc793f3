/* The driver API, for the parts that users of the runtime mix in. Its numbers of errors are those of the runtime, but for
   a few. The one context is that of the runtime. */
#include "kumiko.h"
#include "cuda.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CUresult result(int e) {
  switch (e) {
  case cudaErrorInvalidConfiguration:
  case cudaErrorInvalidMemcpyDirection: return CUDA_ERROR_INVALID_VALUE;
  case cudaErrorInvalidSymbol:
  case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_NOT_FOUND;
  }
  return (CUresult)e;
}
#define CU_IN(call)                                                                                                    \
  int e = k_enter();                                                                                                   \
  return result(e ? (int)k_fail(e) : (int)k_leave(k_sticky() ? k_sticky() : (call)))
static void *at(CUdeviceptr p) { return (void *)(uintptr_t)p; }

EXPORT CUresult cuInit(unsigned flags) { CU_IN(flags ? cudaErrorInvalidValue : 0); }
EXPORT CUresult cuDriverGetVersion(int *v) { return result(cudaDriverGetVersion(v)); }
#define NAME(e) {e, #e}
static const struct { CUresult error; const char *name; } names[] = {
    NAME(CUDA_SUCCESS), NAME(CUDA_ERROR_INVALID_VALUE), NAME(CUDA_ERROR_OUT_OF_MEMORY),
    NAME(CUDA_ERROR_NOT_INITIALIZED), NAME(CUDA_ERROR_NO_DEVICE), NAME(CUDA_ERROR_INVALID_DEVICE),
    NAME(CUDA_ERROR_INVALID_IMAGE), NAME(CUDA_ERROR_INVALID_CONTEXT), NAME(CUDA_ERROR_FILE_NOT_FOUND),
    NAME(CUDA_ERROR_INVALID_HANDLE), NAME(CUDA_ERROR_NOT_FOUND), NAME(CUDA_ERROR_NOT_READY),
    NAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES), NAME(CUDA_ERROR_LAUNCH_FAILED), NAME(CUDA_ERROR_NOT_SUPPORTED)};
EXPORT CUresult cuGetErrorName(CUresult e, const char **name) {
  *name = "CUDA_ERROR_UNKNOWN";
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].error == e) *name = names[i].name;
  return CUDA_SUCCESS;
}
EXPORT CUresult cuGetErrorString(CUresult e, const char **text) {
  return *text = cudaGetErrorString((cudaError_t)e), CUDA_SUCCESS;
}
EXPORT CUresult cuDeviceGetCount(int *n) { return result(cudaGetDeviceCount(n)); }
EXPORT CUresult cuDeviceGet(CUdevice *device, int n) { CU_IN(n ? cudaErrorInvalidDevice : (*device = 0)); }
static int named(char *name, int room) { return room < 1 ? 1 : (snprintf(name, (size_t)room, "%s", k_device.name), 0); }
EXPORT CUresult cuDeviceGetName(char *name, int room, CUdevice d) {
  CU_IN(d ? cudaErrorInvalidDevice : named(name, room));
}
EXPORT CUresult cuDeviceTotalMem(size_t *n, CUdevice d) {
  CU_IN(d ? cudaErrorInvalidDevice : (*n = k_device.memory, 0));
}
EXPORT CUresult cuDeviceGetAttribute(int *v, CUdevice_attribute a, CUdevice d) {
  return result(cudaDeviceGetAttribute(v, (enum cudaDeviceAttr)a, d));
}
EXPORT CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice d) {
  CUresult e = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, d);
  return e ? e : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, d);
}

struct CUctx_st { int unused; };
static struct CUctx_st context;
static __thread CUcontext current;
EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *c, CUdevice d) {
  CU_IN(d ? (int)cudaErrorInvalidDevice : (*c = &context, 0));
}
EXPORT CUresult cuDevicePrimaryCtxRelease(CUdevice d) { (void)d; return CUDA_SUCCESS; }
EXPORT CUresult cuCtxCreate(CUcontext *c, unsigned flags, CUdevice d) {
  (void)flags;
  CU_IN(d ? (int)cudaErrorInvalidDevice : (*c = current = &context, 0));
}
EXPORT CUresult cuCtxDestroy(CUcontext c) { return c ? (current = NULL, CUDA_SUCCESS) : CUDA_ERROR_INVALID_CONTEXT; }
EXPORT CUresult cuCtxSetCurrent(CUcontext c) { return current = c, CUDA_SUCCESS; }
EXPORT CUresult cuCtxPushCurrent(CUcontext c) { return current = c, CUDA_SUCCESS; }
EXPORT CUresult cuCtxGetCurrent(CUcontext *c) { return *c = current, CUDA_SUCCESS; }
EXPORT CUresult cuCtxPopCurrent(CUcontext *c) { return *c = current, current = NULL, CUDA_SUCCESS; }
EXPORT CUresult cuCtxGetDevice(CUdevice *d) { return *d = 0, CUDA_SUCCESS; }
EXPORT CUresult cuCtxSynchronize(void) { CU_IN(k_wait_for_all(0)); }

/* The image of a module is PTX, with a zero byte at its end, or a fat binary with PTX. */
static int load(CUmodule *out, const char *image) {
  if (!image) return cudaErrorMemoryAllocation;
  if (!memcmp(image, "\177ELF", 4))
    return k_refuse("a module of the vendor's machine code (cuModuleLoadData); give the PTX of nvcc -ptx");
  struct module *m = k_module(image);
  int e = k_load(m);
  if (!e) *out = (CUmodule)m;
  return e;
}
static char *copy_of(const char *image) { /* with a zero byte */
  size_t n = k_image_bytes(image);
  char *p = calloc(n + 1, 1);
  return p ? memcpy(p, image, n) : p;
}
EXPORT CUresult cuModuleLoadData(CUmodule *m, const void *image) { CU_IN(load(m, copy_of(image))); }
EXPORT CUresult cuModuleLoadDataEx(CUmodule *m, const void *image, unsigned n, CUjit_option *options, void **values) {
  (void)n, (void)options, (void)values; /* for the vendor's assembler */
  return cuModuleLoadData(m, image);
}
EXPORT CUresult cuModuleLoad(CUmodule *m, const char *file) {
  FILE *f = fopen(file, "rb");
  if (!f) return CUDA_ERROR_FILE_NOT_FOUND;
  size_t n = 0, room = 1 << 16, k;
  char *text = malloc(room + 4);
  while (text && (k = fread(text + n, 1, room - n, f)) > 0)
    if ((n += k) == room) text = realloc(text, (room *= 2) + 4);
  fclose(f);
  if (!text) return CUDA_ERROR_OUT_OF_MEMORY;
  memset(text + n, 0, 4);
  CU_IN(load(m, text));
}
EXPORT CUresult cuModuleUnload(CUmodule m) { return m ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }
static int function(CUfunction *out, CUmodule m, const char *name) {
  struct kernel *k = k_function((struct module *)m, strdup(name));
  int e = k_ready(k);
  if (!e) *out = (CUfunction)k;
  return e;
}
EXPORT CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name) { CU_IN(function(f, m, name)); }
static int global(CUdeviceptr *p, size_t *n, CUmodule m, const char *name) {
  struct symbol s = {.module = (struct module *)m, .name = name};
  int e = k_find_symbol(&s);
  if (e) return e;
  if (s.constant) return k_refuse("cuModuleGetGlobal of a __constant__ variable");
  k_variable(&s, 0);
  if (p) *p = s.address;
  if (n) *n = s.size;
  return 0;
}
EXPORT CUresult cuModuleGetGlobal(CUdeviceptr *p, size_t *n, CUmodule m, const char *name) {
  CU_IN(global(p, n, m, name));
}

EXPORT CUresult cuMemGetInfo(size_t *left, size_t *total) { return result(cudaMemGetInfo(left, total)); }
EXPORT CUresult cuMemAlloc(CUdeviceptr *p, size_t n) { return result(n ? (int)cudaMalloc((void **)p, n) : 1); }
EXPORT CUresult cuMemAllocManaged(CUdeviceptr *p, size_t n, unsigned flags) {
  return result(cudaMallocManaged((void **)p, n, flags));
}
EXPORT CUresult cuMemFree(CUdeviceptr p) { return result(cudaFree(at(p))); }
EXPORT CUresult cuMemAllocHost(void **p, size_t n) { return result(cudaMallocHost(p, n)); }
EXPORT CUresult cuMemHostAlloc(void **p, size_t n, unsigned flags) { return result(cudaHostAlloc(p, n, flags)); }
EXPORT CUresult cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned flags) {
  return result(cudaHostGetDevicePointer((void **)device, host, flags));
}
EXPORT CUresult cuMemFreeHost(void *p) { return result(cudaFreeHost(p)); }
EXPORT CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t n) {
  return result(cudaMemcpy(at(to), from, n, cudaMemcpyHostToDevice));
}
EXPORT CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t n) {
  return result(cudaMemcpy(to, at(from), n, cudaMemcpyDeviceToHost));
}
EXPORT CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t n) {
  return result(cudaMemcpy(at(to), at(from), n, cudaMemcpyDeviceToDevice));
}
EXPORT CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t n, CUstream s) {
  return CU_ON(s, 1, cuMemcpyHtoD(to, from, n));
}
EXPORT CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t n, CUstream s) {
  return CU_ON(s, 1, cuMemcpyDtoH(to, from, n));
}
EXPORT CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s) {
  return CU_ON(s, 1, cuMemcpyDtoD(to, from, n));
}
EXPORT CUresult cuMemsetD8(CUdeviceptr p, unsigned char v, size_t n) {
  CU_IN(k_moved(k_fill(at(p), &v, sizeof v, n), 0, 0));
}
EXPORT CUresult cuMemsetD8Async(CUdeviceptr p, unsigned char v, size_t n, CUstream s) {
  return CU_ON(s, 1, cuMemsetD8(p, v, n));
}
EXPORT CUresult cuMemsetD16(CUdeviceptr p, unsigned short v, size_t n) {
  CU_IN(k_moved(k_fill(at(p), &v, sizeof v, n), 0, 0));
}
EXPORT CUresult cuMemsetD16Async(CUdeviceptr p, unsigned short v, size_t n, CUstream s) {
  return CU_ON(s, 1, cuMemsetD16(p, v, n));
}
EXPORT CUresult cuMemsetD32(CUdeviceptr p, unsigned v, size_t n) {
  CU_IN(k_moved(k_fill(at(p), &v, sizeof v, n), 0, 0));
}
EXPORT CUresult cuMemsetD32Async(CUdeviceptr p, unsigned v, size_t n, CUstream s) {
  return CU_ON(s, 1, cuMemsetD32(p, v, n));
}

/* The parameters come as an array of pointers, or in a buffer as the kernel has them. */
static int launch(struct kernel *k, dim3 g, dim3 b, size_t shared, cudaStream_t s, void **args, void **extra) {
  char *buffer = NULL;
  size_t size = 0;
  if (args || !extra) return k_launch(k, g, b, args, shared, 0, s);
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = extra[1];
    else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE) size = *(size_t *)extra[1];
    else return cudaErrorInvalidValue;
  }
  void **list = malloc((k->count + 1) * sizeof *list);
  if (!list) return cudaErrorMemoryAllocation;
  int e = k->count && !buffer ? cudaErrorInvalidValue : 0;
  for (uint32_t i = 0; i < k->count; i++) {
    list[i] = buffer + k->params[i].offset;
    if (k->params[i].offset + k->params[i].size > size) e = cudaErrorInvalidValue;
  }
  if (!e) e = k_launch(k, g, b, list, shared, 0, s);
  free(list);
  return e;
}
EXPORT CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                               unsigned bz, unsigned shared, CUstream s, void **args, void **extra) {
  CU_IN(launch((struct kernel *)f, (dim3){gx, gy, gz}, (dim3){bx, by, bz}, shared, s, args, extra));
}
static int attribute(int *v, CUfunction_attribute a, const struct kernel *k) {
  const uint32_t list[] = {k->threads, k->shared, k->constant, k->local, k->registers, (uint32_t)k_architecture(),
                           (uint32_t)k_architecture(), 0, k_device.shared_cta - k->shared};
  if ((size_t)a >= sizeof list / sizeof *list) return cudaErrorInvalidValue;
  *v = (int)list[a];
  return 0;
}
EXPORT CUresult cuFuncGetAttribute(int *v, CUfunction_attribute a, CUfunction f) {
  CU_IN(attribute(v, a, (struct kernel *)f));
}
EXPORT CUresult cuFuncSetCacheConfig(CUfunction f, CUfunc_cache c) { return (void)f, (void)c, CUDA_SUCCESS; }

EXPORT CUresult cuStreamCreate(CUstream *s, unsigned f) { return result(cudaStreamCreateWithFlags(s, f)); }
EXPORT CUresult cuStreamCreateWithPriority(CUstream *s, unsigned f, int priority) {
  return (void)priority, cuStreamCreate(s, f);
}
EXPORT CUresult cuStreamDestroy(CUstream s) { return result(cudaStreamDestroy(s)); }
EXPORT CUresult cuStreamSynchronize(CUstream s) { return result(cudaStreamSynchronize(s)); }
EXPORT CUresult cuStreamQuery(CUstream s) { return result(cudaStreamQuery(s)); }
EXPORT CUresult cuStreamWaitEvent(CUstream s, CUevent v, unsigned f) { return result(cudaStreamWaitEvent(s, v, f)); }
EXPORT CUresult cuLaunchHostFunc(CUstream s, CUhostFn f, void *data) { return result(cudaLaunchHostFunc(s, f, data)); }
EXPORT CUresult cuEventCreate(CUevent *v, unsigned f) { return result(cudaEventCreateWithFlags(v, f)); }
EXPORT CUresult cuEventDestroy(CUevent v) { return result(cudaEventDestroy(v)); }
EXPORT CUresult cuEventRecord(CUevent v, CUstream s) { return result(cudaEventRecord(v, s)); }
EXPORT CUresult cuEventSynchronize(CUevent v) { return result(cudaEventSynchronize(v)); }
EXPORT CUresult cuEventQuery(CUevent v) { return result(cudaEventQuery(v)); }
EXPORT CUresult cuEventElapsedTime(float *ms, CUevent a, CUevent b) { return result(cudaEventElapsedTime(ms, a, b)); }

static CUresult refuse(const char *name) { CU_IN(k_refuse(name)); }
#define __K_REFUSED(name) EXPORT CUresult name(void) { return refuse(#name); }
#include "kumiko_refused_driver.h"
