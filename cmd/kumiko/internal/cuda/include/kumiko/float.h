// Floating-point intrinsics (CUDA Math API, "Single Precision Intrinsics", "Double Precision Intrinsics" and "Type
// Casting Intrinsics"): each is one PTX instruction or the sequence of the programming guide's table of intrinsics.
#pragma once
#include "qualifiers.h"

#define __K_F1(name, op, T, c)                                                                                         \
  __K_FN T name(T a) {                                                                                                 \
    T d;                                                                                                               \
    asm(op " %0, %1;" : "=" c(d) : c(a));                                                                              \
    return d;                                                                                                          \
  }
#define __K_F2(name, op, T, c)                                                                                         \
  __K_FN T name(T a, T b) {                                                                                            \
    T d;                                                                                                               \
    asm(op " %0, %1, %2;" : "=" c(d) : c(a), c(b));                                                                    \
    return d;                                                                                                          \
  }
#define __K_F3(name, op, T, c)                                                                                         \
  __K_FN T name(T a, T b, T e) {                                                                                       \
    T d;                                                                                                               \
    asm(op " %0, %1, %2, %3;" : "=" c(d) : c(a), c(b), c(e));                                                          \
    return d;                                                                                                          \
  }
// r is the suffix of the function, m that of the instruction: rd is rm, ru is rp.
#define __K_ROUNDED(r, m)                                                                                              \
  __K_F2(__fadd_##r, "add." #m ".f32", float, "f")                                                                     \
  __K_F2(__fsub_##r, "sub." #m ".f32", float, "f")                                                                     \
  __K_F2(__fmul_##r, "mul." #m ".f32", float, "f")                                                                     \
  __K_F2(__fdiv_##r, "div." #m ".f32", float, "f")                                                                     \
  __K_F3(__fmaf_##r, "fma." #m ".f32", float, "f")                                                                     \
  __K_F1(__fsqrt_##r, "sqrt." #m ".f32", float, "f")                                                                   \
  __K_F1(__frcp_##r, "rcp." #m ".f32", float, "f")                                                                     \
  __K_F2(__dadd_##r, "add." #m ".f64", double, "d")                                                                    \
  __K_F2(__dsub_##r, "sub." #m ".f64", double, "d")                                                                    \
  __K_F2(__dmul_##r, "mul." #m ".f64", double, "d")                                                                    \
  __K_F2(__ddiv_##r, "div." #m ".f64", double, "d")                                                                    \
  __K_F3(__fma_##r, "fma." #m ".f64", double, "d")                                                                     \
  __K_F1(__dsqrt_##r, "sqrt." #m ".f64", double, "d")                                                                  \
  __K_F1(__drcp_##r, "rcp." #m ".f64", double, "d")
__K_ROUNDED(rn, rn)
__K_ROUNDED(rz, rz)
__K_ROUNDED(rd, rm)
__K_ROUNDED(ru, rp)
#undef __K_ROUNDED

__K_F1(__k_ex2, "ex2.approx.f32", float, "f")
__K_F1(__k_lg2, "lg2.approx.f32", float, "f")
__K_F1(__k_rcp, "rcp.approx.f32", float, "f")
__K_F1(__sinf, "sin.approx.f32", float, "f")
__K_F1(__cosf, "cos.approx.f32", float, "f")
__K_F1(__log2f, "lg2.approx.f32", float, "f")
__K_F1(__frsqrt_rn, "rsqrt.approx.f32", float, "f")
__K_F1(__saturatef, "cvt.sat.f32.f32", float, "f")
__K_F2(__fdividef, "div.approx.f32", float, "f")
#undef __K_F1
#undef __K_F2
#undef __K_F3
__K_FN void __sincosf(float x, float *s, float *c) { *s = __sinf(x), *c = __cosf(x); }
__K_FN float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
__K_FN float __expf(float x) { return __k_ex2(__fmul_rn(x, 1.44269504f)); }
__K_FN float __exp10f(float x) { return __k_ex2(__fmul_rn(x, 3.32192809f)); }
__K_FN float __logf(float x) { return __fmul_rn(__k_lg2(x), 0.693147181f); }
__K_FN float __log10f(float x) { return __fmul_rn(__k_lg2(x), 0.301029996f); }
__K_FN float __powf(float x, float y) { return __k_ex2(__fmul_rn(y, __k_lg2(x))); }

// Conversions, with the rounding of the name.
#define __K_CONVERT(name, op, T, tc, S, sc)                                                                            \
  __K_FN T name(S a) {                                                                                                 \
    T d;                                                                                                               \
    asm(op " %0, %1;" : "=" tc(d) : sc(a));                                                                            \
    return d;                                                                                                          \
  }
#define __K_CONVERTS(r, m)                                                                                             \
  __K_CONVERT(__float2int_##r, "cvt." #m "i.s32.f32", int, "r", float, "f")                                            \
  __K_CONVERT(__float2uint_##r, "cvt." #m "i.u32.f32", unsigned, "r", float, "f")                                      \
  __K_CONVERT(__float2ll_##r, "cvt." #m "i.s64.f32", long long, "l", float, "f")                                       \
  __K_CONVERT(__float2ull_##r, "cvt." #m "i.u64.f32", unsigned long long, "l", float, "f")                             \
  __K_CONVERT(__double2int_##r, "cvt." #m "i.s32.f64", int, "r", double, "d")                                          \
  __K_CONVERT(__double2uint_##r, "cvt." #m "i.u32.f64", unsigned, "r", double, "d")                                    \
  __K_CONVERT(__double2ll_##r, "cvt." #m "i.s64.f64", long long, "l", double, "d")                                     \
  __K_CONVERT(__double2ull_##r, "cvt." #m "i.u64.f64", unsigned long long, "l", double, "d")                           \
  __K_CONVERT(__int2float_##r, "cvt." #m ".f32.s32", float, "f", int, "r")                                             \
  __K_CONVERT(__uint2float_##r, "cvt." #m ".f32.u32", float, "f", unsigned, "r")                                       \
  __K_CONVERT(__ll2float_##r, "cvt." #m ".f32.s64", float, "f", long long, "l")                                        \
  __K_CONVERT(__ull2float_##r, "cvt." #m ".f32.u64", float, "f", unsigned long long, "l")                              \
  __K_CONVERT(__ll2double_##r, "cvt." #m ".f64.s64", double, "d", long long, "l")                                      \
  __K_CONVERT(__ull2double_##r, "cvt." #m ".f64.u64", double, "d", unsigned long long, "l")                            \
  __K_CONVERT(__double2float_##r, "cvt." #m ".f32.f64", float, "f", double, "d")
__K_CONVERTS(rn, rn)
__K_CONVERTS(rz, rz)
__K_CONVERTS(rd, rm)
__K_CONVERTS(ru, rp)
#undef __K_CONVERTS
#undef __K_CONVERT
__K_FN double __int2double_rn(int x) { return x; }
__K_FN double __uint2double_rn(unsigned x) { return x; }

__K_FN int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
__K_FN unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
__K_FN float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
__K_FN float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
__K_FN long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
__K_FN double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
__K_FN int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
__K_FN int __double2loint(double x) { return (int)__double_as_longlong(x); }
__K_FN double __hiloint2double(int hi, int lo) {
  return __longlong_as_double((long long)((unsigned long long)(unsigned)hi << 32 | (unsigned)lo));
}
