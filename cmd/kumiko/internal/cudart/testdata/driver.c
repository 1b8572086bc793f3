// An application in C with the driver API. Its kernel adds a number to each element, and counts in a variable.
#include <cuda.h>
#include <stdio.h>

static const char code[] = ".version 6.3\n.target sm_70\n.address_size 64\n"
                           ".visible .global .align 4 .u32 count = 5;\n"
                           ".visible .const .align 4 .u32 unchanged = 7;\n"
                           ".visible .entry add(.param .u64 p, .param .u32 v)\n{\n"
                           ".reg .b32 %r<6>;\n.reg .b64 %rd<4>;\n"
                           "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [v];\nmov.u32 %r2, %tid.x;\n"
                           "mul.wide.u32 %rd2, %r2, 4;\nadd.s64 %rd1, %rd1, %rd2;\n"
                           "ld.global.u32 %r3, [%rd1];\nadd.u32 %r3, %r3, %r1;\nst.global.u32 [%rd1], %r3;\n"
                           "mov.u64 %rd3, count;\nred.global.add.u32 [%rd3], 1;\n"
                           "ld.const.u32 %r4, [unchanged];\nret;\n}\n";

int main(void) {
  CUdevice device;
  CUcontext context, current;
  CUmodule module;
  CUfunction add;
  CUdeviceptr p, count, constant;
  CUstream stream, other;
  size_t size = 0;
  int host[32], n = 0, major = 0, threads = 0;
  unsigned v = 3;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  cuCtxCreate(&context, 0, device);
  cuCtxGetCurrent(&current);
  int loaded = cuModuleLoadData(&module, code), found = cuModuleGetFunction(&add, module, "add");
  cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, add);
  cuMemAlloc(&p, sizeof host);
  cuMemsetD32(p, 40, 32);
  cuStreamCreate(&stream, CU_STREAM_DEFAULT);
  cuStreamCreate(&other, CU_STREAM_DEFAULT);
  void *list[] = {&p, &v};
  cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, stream, list, NULL);
  struct { CUdeviceptr p; unsigned v; } block = {p, 100};
  size_t bytes = sizeof block;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, other, NULL, extra);
  cuStreamSynchronize(stream);
  cuStreamSynchronize(other);
  cuMemcpyDtoH(host, p, sizeof host);
  cuModuleGetGlobal(&count, &size, module, "count");
  cuMemcpyDtoH(&n, count, sizeof n);
  printf("%d %d, capability %d, %d threads, context %s: %d, %d counted in %zu bytes\n", loaded, found, major, threads,
         current == context ? "current" : "lost", host[31], n, size);
  const char *name = "";
  cuGetErrorName(cuLaunchKernel(add, 1, 1, 1, 2048, 1, 1, 0, stream, list, NULL), &name);
  printf("2048 threads: %s; copy of too much: %d\n", name, cuMemcpyDtoH(host, p, 1 << 20));
  printf("a constant: %d; machine code: %d; a linker: %d\n", cuModuleGetGlobal(&constant, &size, module, "unchanged"),
         cuModuleLoadData(&module, "\177ELF"), cuLinkCreate());
  return 0;
}
