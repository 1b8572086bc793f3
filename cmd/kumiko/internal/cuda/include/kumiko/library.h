// What device code has of C's library: memory, printf and assert (CUDA C++ Programming Guide, "Formatted Output",
// "Assertion", "Dynamic Global Memory Allocation and Operations"). The rest is for the host's part, without bodies.
#pragma once
#include "qualifiers.h"

typedef long clock_t;
__K_FN clock_t clock() { return (clock_t)__nvvm_read_ptx_sreg_clock(); }

extern "C" {
__host__ __device__ int printf(const char *, ...);
__host__ __device__ void *malloc(size_t);
__host__ __device__ void free(void *);
__host__ __device__ void *memcpy(void *, const void *, size_t);
__host__ __device__ void *memmove(void *, const void *, size_t);
__host__ __device__ void *memset(void *, int, size_t);
__host__ __device__ void __assertfail(const char *, const char *, unsigned, const char *, size_t)
    __attribute__((noreturn));
__host__ void exit(int) __attribute__((noreturn));
__host__ void abort() __attribute__((noreturn));
}
__host__ __device__ inline void *operator new(size_t, void *p) noexcept { return p; }
__device__ inline void *operator new(size_t n) { return malloc(n); }
__device__ inline void *operator new[](size_t n) { return malloc(n); }
__device__ inline void operator delete(void *p) noexcept { free(p); }
__device__ inline void operator delete(void *p, size_t) noexcept { free(p); }
__device__ inline void operator delete[](void *p) noexcept { free(p); }
__device__ inline void operator delete[](void *p, size_t) noexcept { free(p); }
