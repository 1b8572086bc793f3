// The type bfloat16, by single precision (CUDA Math API, "Bfloat16 Precision Intrinsics"): each operation is rounded to
// single precision and then to bfloat16. For a sum, a product, a quotient and a root that is the nearest bfloat16, as
// single precision has more than twice its digits. So is __hfma from --arch sm_80 on, where it is one instruction.
#pragma once
#include "cuda_runtime.h"
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

#define __K_ALSO __host__ __device__ __forceinline__
struct __align__(2) __nv_bfloat16 {
  unsigned short k;
  __nv_bfloat16() = default;
  // To the nearest, of two the even one. A NaN becomes the one that CUDA has.
  __K_ALSO __nv_bfloat16(float v) {
    unsigned b = __builtin_bit_cast(unsigned, v);
    k = v != v ? 0x7fff : (unsigned short)((b + 0x7fff + (b >> 16 & 1)) >> 16);
  }
  __K_ALSO operator float() const { return __builtin_bit_cast(float, (unsigned)k << 16); }
};
struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __K_ALSO __nv_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) : x(x), y(y) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

__K_ALSO __nv_bfloat16 __float2bfloat16(float v) { return __nv_bfloat16(v); }
__K_ALSO __nv_bfloat16 __float2bfloat16_rn(float v) { return __nv_bfloat16(v); }
__K_ALSO float __bfloat162float(__nv_bfloat16 v) { return v; }
__K_ALSO unsigned short __bfloat16_as_ushort(__nv_bfloat16 v) { return v.k; }
__K_ALSO __nv_bfloat16 __ushort_as_bfloat16(unsigned short v) { return __builtin_bit_cast(__nv_bfloat16, v); }
__K_ALSO __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
__K_ALSO __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
__K_ALSO __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 v) { return {v, v}; }
__K_ALSO __nv_bfloat162 __float2bfloat162_rn(float v) { return {v, v}; }
__K_ALSO __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {x, y}; }
__K_ALSO float2 __bfloat1622float2(__nv_bfloat162 v) { return {v.x, v.y}; }
__K_ALSO float __low2float(__nv_bfloat162 v) { return v.x; }
__K_ALSO float __high2float(__nv_bfloat162 v) { return v.y; }
__K_ALSO __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
__K_ALSO __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }

#define __K_BF16(name, name2, op)                                                                                      \
  __K_ALSO __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) { return float(a) op float(b); }                       \
  __K_ALSO __nv_bfloat162 name2(__nv_bfloat162 a, __nv_bfloat162 b) { return {name(a.x, b.x), name(a.y, b.y)}; }       \
  __K_ALSO __nv_bfloat16 operator op(__nv_bfloat16 a, __nv_bfloat16 b) { return name(a, b); }                          \
  __K_ALSO __nv_bfloat162 operator op(__nv_bfloat162 a, __nv_bfloat162 b) { return name2(a, b); }                      \
  __K_ALSO __nv_bfloat16 &operator op##=(__nv_bfloat16 &a, __nv_bfloat16 b) { return a = name(a, b); }
__K_BF16(__hadd, __hadd2, +)
__K_BF16(__hsub, __hsub2, -)
__K_BF16(__hmul, __hmul2, *)
__K_BF16(__hdiv, __h2div, /)
__K_ALSO __nv_bfloat16 operator-(__nv_bfloat16 a) { return __ushort_as_bfloat16(a.k ^ 0x8000); }
__K_ALSO __nv_bfloat16 __hneg(__nv_bfloat16 a) { return -a; }
__K_ALSO __nv_bfloat16 __habs(__nv_bfloat16 a) { return __ushort_as_bfloat16(a.k & 0x7fff); }
__K_FN __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
#if __CUDA_ARCH__ >= 800
  unsigned short r;
  asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(r) : "h"(a.k), "h"(b.k), "h"(c.k));
  return __ushort_as_bfloat16(r);
#else
  return fmaf(a, b, c);
#endif
}
__K_FN __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
__K_FN __nv_bfloat16 hsqrt(__nv_bfloat16 a) { return sqrtf(a); }
__K_FN __nv_bfloat16 hexp(__nv_bfloat16 a) { return expf(a); }
__K_FN __nv_bfloat16 hlog(__nv_bfloat16 a) { return logf(a); }
__K_FN __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) { return fminf(a, b); }
__K_FN __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) { return fmaxf(a, b); }

#define __K_COMPARE(name, op)                                                                                          \
  __K_ALSO bool name(__nv_bfloat16 a, __nv_bfloat16 b) { return float(a) op float(b); }                                \
  __K_ALSO bool operator op(__nv_bfloat16 a, __nv_bfloat16 b) { return name(a, b); }
__K_COMPARE(__heq, ==)
__K_COMPARE(__hne, !=)
__K_COMPARE(__hlt, <)
__K_COMPARE(__hle, <=)
__K_COMPARE(__hgt, >)
__K_COMPARE(__hge, >=)

#undef __K_BF16
#undef __K_COMPARE
#undef __K_ALSO
#pragma clang attribute pop
