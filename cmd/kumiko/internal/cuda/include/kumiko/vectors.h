// Vector types (CUDA C++ Programming Guide, "Built-in Vector Types", with the alignments of its table) and dim3.
#pragma once
#include "qualifiers.h"

#define __K_VECTORS(name, type, a2, a4)                                                                                \
  struct name##1 { type x; };                                                                                          \
  struct __align__(a2) name##2 { type x, y; };                                                                         \
  struct name##3 { type x, y, z; };                                                                                    \
  struct __align__(a4) name##4 { type x, y, z, w; };                                                                   \
  __K_BOTH name##1 make_##name##1(type x) { return {x}; }                                                                \
  __K_BOTH name##2 make_##name##2(type x, type y) { return {x, y}; }                                                     \
  __K_BOTH name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }                                          \
  __K_BOTH name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

__K_VECTORS(char, signed char, 2, 4)
__K_VECTORS(uchar, unsigned char, 2, 4)
__K_VECTORS(short, short, 4, 8)
__K_VECTORS(ushort, unsigned short, 4, 8)
__K_VECTORS(int, int, 8, 16)
__K_VECTORS(uint, unsigned, 8, 16)
__K_VECTORS(long, long, 16, 16)
__K_VECTORS(ulong, unsigned long, 16, 16)
__K_VECTORS(longlong, long long, 16, 16)
__K_VECTORS(ulonglong, unsigned long long, 16, 16)
__K_VECTORS(float, float, 8, 16)
__K_VECTORS(double, double, 16, 16)

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};

#ifdef __CUDA__
// threadIdx and its like: each member is a read of the special register of its name.
#define __K_MEMBER(m, sreg)                                                                                            \
  __declspec(property(get = get_##m)) unsigned m;                                                                      \
  static __device__ __forceinline__ unsigned get_##m() { return __nvvm_read_ptx_sreg_##sreg##_##m(); }
#define __K_INDEX(name, sreg, whole)                                                                                   \
  struct __k_##name {                                                                                                  \
    __K_MEMBER(x, sreg)                                                                                                \
    __K_MEMBER(y, sreg)                                                                                                \
    __K_MEMBER(z, sreg)                                                                                                \
    __device__ __forceinline__ operator whole() const { return {get_x(), get_y(), get_z()}; }                          \
  };                                                                                                                   \
  extern const __device__ __k_##name name;
__K_INDEX(threadIdx, tid, uint3)
__K_INDEX(blockIdx, ctaid, uint3)
__K_INDEX(blockDim, ntid, dim3)
__K_INDEX(gridDim, nctaid, dim3)
#undef __K_MEMBER
#undef __K_INDEX

constexpr int warpSize = 32;
#endif
