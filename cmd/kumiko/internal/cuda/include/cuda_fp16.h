// Half precision (CUDA Math API, "Half Arithmetic Functions", "Half2 Arithmetic Functions", comparisons and
// conversions), by clang's _Float16: one instruction each from --arch sm_53 on.
#pragma once
#include "cuda_runtime.h"
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

#define __K_ALSO __host__ __device__ __forceinline__
struct __align__(2) __half {
  _Float16 k;
  __half() = default;
  __K_ALSO constexpr explicit __half(_Float16 v) : k(v) {}
  __K_ALSO __half(float v) : k((_Float16)v) {}
  __K_ALSO __half(double v) : k((_Float16)v) {}
  __K_ALSO __half(int v) : k((_Float16)v) {}
  __K_ALSO __half(unsigned v) : k((_Float16)v) {}
  __K_ALSO operator float() const { return (float)k; }
};
typedef _Float16 __k_pair __attribute__((ext_vector_type(2)));
struct __align__(4) __half2 {
  __half x, y;
  __half2() = default;
  __K_ALSO __half2(__half x, __half y) : x(x), y(y) {}
  __K_ALSO __half2(__k_pair v) : x(v.x), y(v.y) {}
  __K_ALSO operator __k_pair() const { return __k_pair{x.k, y.k}; }
};
typedef __half half;
typedef __half2 half2;

__K_FN __half __float2half(float v) { return __half(v); }
__K_FN __half __float2half_rn(float v) { return __half(v); }
__K_FN __half __double2half(double v) { return __half(v); }
__K_FN float __half2float(__half v) { return (float)v.k; }
__K_FN __half __int2half_rn(int v) { return __half(v); }
__K_FN __half __uint2half_rn(unsigned v) { return __half(v); }
__K_FN int __half2int_rn(__half v) { return __float2int_rn((float)v.k); }
__K_FN int __half2int_rz(__half v) { return (int)(float)v.k; }
__K_FN unsigned __half2uint_rz(__half v) { return (unsigned)(float)v.k; }
__K_FN short __half_as_short(__half v) { return __builtin_bit_cast(short, v.k); }
__K_FN unsigned short __half_as_ushort(__half v) { return __builtin_bit_cast(unsigned short, v.k); }
__K_FN __half __short_as_half(short v) { return __half(__builtin_bit_cast(_Float16, v)); }
__K_FN __half __ushort_as_half(unsigned short v) { return __half(__builtin_bit_cast(_Float16, v)); }
__K_FN __half2 make_half2(__half x, __half y) { return {x, y}; }
__K_FN __half2 __halves2half2(__half x, __half y) { return {x, y}; }
__K_FN __half2 __half2half2(__half v) { return {v, v}; }
__K_FN __half2 __float2half2_rn(float v) { return {__half(v), __half(v)}; }
__K_FN __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
__K_FN __half2 __float22half2_rn(float2 v) { return {__half(v.x), __half(v.y)}; }
__K_FN float2 __half22float2(__half2 v) { return {(float)v.x.k, (float)v.y.k}; }
__K_FN float __low2float(__half2 v) { return (float)v.x.k; }
__K_FN float __high2float(__half2 v) { return (float)v.y.k; }
__K_FN __half __low2half(__half2 v) { return v.x; }
__K_FN __half __high2half(__half2 v) { return v.y; }
__K_FN __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
__K_FN __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
__K_FN __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }

#define __K_HALF2(name, op)                                                                                            \
  __K_FN __half name(__half a, __half b) { return __half((_Float16)(a.k op b.k)); }                                    \
  __K_FN __half2 name##2(__half2 a, __half2 b) { return __half2((__k_pair)a op (__k_pair)b); }                         \
  __K_FN __half operator op(__half a, __half b) { return name(a, b); }                                                 \
  __K_FN __half2 operator op(__half2 a, __half2 b) { return name##2(a, b); }                                           \
  __K_FN __half &operator op##=(__half &a, __half b) { return a = name(a, b); }                                        \
  __K_FN __half2 &operator op##=(__half2 &a, __half2 b) { return a = name##2(a, b); }
__K_HALF2(__hadd, +)
__K_HALF2(__hsub, -)
__K_HALF2(__hmul, *)
__K_FN __half __hdiv(__half a, __half b) { return __half(a.k / b.k); }
__K_FN __half2 __h2div(__half2 a, __half2 b) { return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; }
__K_FN __half operator/(__half a, __half b) { return __hdiv(a, b); }
__K_FN __half2 operator/(__half2 a, __half2 b) { return __h2div(a, b); }
__K_FN __half operator-(__half a) { return __half((_Float16)-a.k); }
__K_FN __half2 operator-(__half2 a) { return __half2(-(__k_pair)a); }
__K_FN __half __hneg(__half a) { return -a; }
__K_FN __half2 __hneg2(__half2 a) { return -a; }
__K_FN __half __habs(__half a) { return __ushort_as_half(__half_as_ushort(a) & 0x7fff); }
__K_FN __half __hfma(__half a, __half b, __half c) { return __half((_Float16)__builtin_fmaf16(a.k, b.k, c.k)); }
__K_FN __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return __half2(__builtin_elementwise_fma((__k_pair)a, (__k_pair)b, (__k_pair)c));
}

#define __K_COMPARE(name, op)                                                                                          \
  __K_FN bool name(__half a, __half b) { return a.k op b.k; }                                                          \
  __K_FN bool operator op(__half a, __half b) { return a.k op b.k; }                                                   \
  __K_FN __half2 name##2(__half2 a, __half2 b) { return {__half(float(name(a.x, b.x))), __half(float(name(a.y, b.y)))}; }
__K_COMPARE(__heq, ==)
__K_COMPARE(__hne, !=)
__K_COMPARE(__hlt, <)
__K_COMPARE(__hle, <=)
__K_COMPARE(__hgt, >)
__K_COMPARE(__hge, >=)
__K_FN bool __hisnan(__half a) { return a.k != a.k; }
__K_FN __half __hmin(__half a, __half b) { return __half(fminf((float)a.k, (float)b.k)); }
__K_FN __half __hmax(__half a, __half b) { return __half(fmaxf((float)a.k, (float)b.k)); }

// By single precision, rounded once more.
#define __K_BY_FLOAT(name, f)                                                                                          \
  __K_FN __half h##name(__half a) { return __half(f((float)a.k)); }                                                    \
  __K_FN __half2 h2##name(__half2 a) { return {h##name(a.x), h##name(a.y)}; }
__K_BY_FLOAT(sqrt, sqrtf)
__K_BY_FLOAT(rsqrt, rsqrtf)
__K_BY_FLOAT(rcp, 1.0f /)
__K_BY_FLOAT(exp, __expf)
__K_BY_FLOAT(exp2, exp2f)
__K_BY_FLOAT(log, __logf)
__K_BY_FLOAT(log2, __log2f)
__K_BY_FLOAT(sin, __sinf)
__K_BY_FLOAT(cos, __cosf)
__K_BY_FLOAT(floor, floorf)
__K_BY_FLOAT(ceil, ceilf)
__K_BY_FLOAT(trunc, truncf)
__K_BY_FLOAT(rint, rintf)

#define __K_HALF_SHUFFLE(name, T)                                                                                      \
  __K_FN __half name(unsigned mask, __half v, T at, int width = 32) {                                                  \
    return __ushort_as_half((unsigned short)name(mask, (unsigned)__half_as_ushort(v), at, width));                     \
  }                                                                                                                    \
  __K_FN __half2 name(unsigned mask, __half2 v, T at, int width = 32) {                                                \
    return __builtin_bit_cast(__half2, name(mask, __builtin_bit_cast(unsigned, v), at, width));                        \
  }
__K_HALF_SHUFFLE(__shfl_sync, int)
__K_HALF_SHUFFLE(__shfl_up_sync, unsigned)
__K_HALF_SHUFFLE(__shfl_down_sync, unsigned)
__K_HALF_SHUFFLE(__shfl_xor_sync, int)

#undef __K_HALF2
#undef __K_COMPARE
#undef __K_BY_FLOAT
#undef __K_HALF_SHUFFLE
#pragma clang attribute pop
