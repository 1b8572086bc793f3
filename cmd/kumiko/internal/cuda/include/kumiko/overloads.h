// The names of C++'s <cmath> for float and double, and errors for the functions without an implementation.
#pragma once
#include "inverse.h"

// Functions of a double that are instructions, or few of them.
__K_FN double fabs(double x) { return __builtin_fabs(x); }
__K_FN double abs(double x) { return __builtin_fabs(x); }
__K_FN double fmin(double a, double b) { return __builtin_fmin(a, b); }
__K_FN double fmax(double a, double b) { return __builtin_fmax(a, b); }
__K_FN double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
__K_FN double sqrt(double x) { return __dsqrt_rn(x); }
__K_FN double rsqrt(double x) { return 1.0 / __dsqrt_rn(x); }
__K_FN double floor(double x) { return __builtin_floor(x); }
__K_FN double ceil(double x) { return __builtin_ceil(x); }
__K_FN double trunc(double x) { return __builtin_trunc(x); }
__K_FN double rint(double x) { return __builtin_rint(x); }
__K_FN double nearbyint(double x) { return __builtin_rint(x); }
__K_FN double copysign(double x, double y) { return __builtin_copysign(x, y); }
__K_FN double round(double x) {
  double t = trunc(x);
  return copysign(fabs(x - t) >= 0.5 ? fabs(t) + 1.0 : t, x);
}
__K_BOTH double min(double a, double b) { return __builtin_fmin(a, b); }
__K_BOTH double max(double a, double b) { return __builtin_fmax(a, b); }
__K_BOTH double min(double a, float b) { return __builtin_fmin(a, b); }
__K_BOTH double max(double a, float b) { return __builtin_fmax(a, b); }
__K_BOTH double min(float a, double b) { return __builtin_fmin(a, b); }
__K_BOTH double max(float a, double b) { return __builtin_fmax(a, b); }
__K_BOTH float min(float a, float b) { return __builtin_fminf(a, b); }
__K_BOTH float max(float a, float b) { return __builtin_fmaxf(a, b); }

// Integral arguments count as double, as in C++.
template <bool> struct __k_if {};
template <> struct __k_if<true> { typedef double type; };
#define __k_number(T) (__is_integral(T) || __is_floating_point(T))

#define __K_OVERLOAD1(name)                                                                                            \
  __K_FN float name(float x) { return name##f(x); }
#define __K_OVERLOAD2(name)                                                                                            \
  __K_FN float name(float a, float b) { return name##f(a, b); }
#ifdef __KUMIKO_APPLICATION // the host has its own functions, and the device has double.h
#define __K_SINGLE1(name) __K_OVERLOAD1(name)
#define __K_SINGLE2(name) __K_OVERLOAD2(name)
#define __K_NEITHER(name, instead)
#else
// A function of a double that has only its name in single precision: host code may call it.
#define __K_SINGLE1(name)                                                                                              \
  __K_OVERLOAD1(name)                                                                                                  \
  __host__ double name(double x);                                                                                      \
  __K_ABSENT(#name " of a double is not available without libdevice: use " #name "f") double name(double x);           \
  template <class T> __host__ typename __k_if<__is_integral(T)>::type name(T x);                                       \
  template <class T>                                                                                                   \
  __K_ABSENT(#name " of a double is not available without libdevice: use " #name "f")                                  \
  typename __k_if<__is_integral(T)>::type name(T x);
#define __K_SINGLE2(name)                                                                                              \
  __K_OVERLOAD2(name)                                                                                                  \
  __host__ double name(double a, double b);                                                                            \
  __K_ABSENT(#name " of a double is not available without libdevice: use " #name "f") double name(double a, double b); \
  template <class A, class B> __host__ typename __k_if<__k_number(A) && __k_number(B)>::type name(A a, B b);           \
  template <class A, class B>                                                                                          \
  __K_ABSENT(#name " of a double is not available without libdevice: use " #name "f")                                  \
  typename __k_if<__k_number(A) && __k_number(B)>::type name(A a, B b);
// A function without an implementation in either precision.
#define __K_NEITHER(name, instead)                                                                                     \
  __host__ double name(double x);                                                                                      \
  __K_ABSENT(#name " is not available without libdevice: " instead) double name(double x);                             \
  __host__ float name##f(float x);                                                                                     \
  __K_ABSENT(#name "f is not available without libdevice: " instead) float name##f(float x);
#endif

__K_OVERLOAD1(fabs)
__K_OVERLOAD1(sqrt)
__K_OVERLOAD1(rsqrt)
__K_OVERLOAD1(floor)
__K_OVERLOAD1(ceil)
__K_OVERLOAD1(trunc)
__K_OVERLOAD1(rint)
__K_OVERLOAD1(nearbyint)
__K_OVERLOAD1(round)
__K_OVERLOAD2(fmin)
__K_OVERLOAD2(fmax)
__K_OVERLOAD2(copysign)
__K_SINGLE1(exp)
__K_SINGLE1(exp2)
__K_SINGLE1(exp10)
__K_SINGLE1(expm1)
__K_SINGLE1(log)
__K_SINGLE1(log2)
__K_SINGLE1(log10)
__K_SINGLE1(log1p)
__K_SINGLE1(sin)
__K_SINGLE1(cos)
__K_SINGLE1(tan)
__K_SINGLE1(sinpi)
__K_SINGLE1(cospi)
__K_SINGLE1(asin)
__K_SINGLE1(acos)
__K_SINGLE1(atan)
__K_SINGLE1(sinh)
__K_SINGLE1(cosh)
__K_SINGLE1(tanh)
__K_SINGLE1(asinh)
__K_SINGLE1(acosh)
__K_SINGLE1(atanh)
__K_SINGLE1(cbrt)
__K_SINGLE1(erf)
__K_SINGLE2(pow)
__K_SINGLE2(atan2)
__K_SINGLE2(fmod)
__K_SINGLE2(hypot)
__K_NEITHER(erfc, "use 1 - erff(x), or write it from expf")
__K_NEITHER(erfinv, "write it from logf")
__K_NEITHER(normcdf, "write it from expf")
__K_NEITHER(normcdfinv, "write it from logf")
__K_NEITHER(tgamma, "write it from expf and logf")
__K_NEITHER(lgamma, "write it from logf")
__K_NEITHER(j0, "write it from cosf")
__K_NEITHER(j1, "write it from cosf")
#undef __K_NEITHER
#undef __K_SINGLE1
#undef __K_SINGLE2
#undef __k_number
#undef __K_OVERLOAD1
#undef __K_OVERLOAD2
__K_FN float abs(float x) { return fabsf(x); }
__K_FN float fma(float a, float b, float c) { return fmaf(a, b, c); }
__K_FN float pow(float x, int n) { return powf(x, (float)n); }
__K_FN float ldexp(float x, int n) { return ldexpf(x, n); }
__K_FN void sincos(float x, float *s, float *c) { sincosf(x, s, c); }

#define __K_INTEGRAL(name)                                                                                             \
  template <class T> __K_FN typename __k_if<__is_integral(T)>::type name(T x) { return name((double)x); }
__K_INTEGRAL(sqrt)
__K_INTEGRAL(floor)
__K_INTEGRAL(ceil)
#undef __K_INTEGRAL

#define __K_CLASS(name, builtin)                                                                                       \
  __K_FN bool name(float x) { return builtin(x); }                                                                     \
  __K_FN bool name(double x) { return builtin(x); }
#undef isnan
#undef isinf
#undef isfinite
#undef signbit
__K_CLASS(isnan, __builtin_isnan)
__K_CLASS(isinf, __builtin_isinf)
__K_CLASS(isfinite, __builtin_isfinite)
__K_CLASS(signbit, __builtin_signbit)
#undef __K_CLASS

#ifndef __KUMIKO_APPLICATION // otherwise of <math.h>
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_inf()
#define HUGE_VALF __builtin_inff()
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
