// The names of C++'s <cmath> for float and double, and errors for the functions without an implementation.
#pragma once
#include "inverse.h"

// Functions of a double that are instructions, or few of them.
K_FN double fabs(double x) { return __builtin_fabs(x); }
K_FN double abs(double x) { return __builtin_fabs(x); }
K_FN double fmin(double a, double b) { return __builtin_fmin(a, b); }
K_FN double fmax(double a, double b) { return __builtin_fmax(a, b); }
K_FN double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
K_FN double sqrt(double x) { return __dsqrt_rn(x); }
K_FN double rsqrt(double x) { return 1.0 / __dsqrt_rn(x); }
K_FN double floor(double x) { return __builtin_floor(x); }
K_FN double ceil(double x) { return __builtin_ceil(x); }
K_FN double trunc(double x) { return __builtin_trunc(x); }
K_FN double rint(double x) { return __builtin_rint(x); }
K_FN double nearbyint(double x) { return __builtin_rint(x); }
K_FN double copysign(double x, double y) { return __builtin_copysign(x, y); }
K_FN double round(double x) {
  double t = trunc(x);
  return copysign(fabs(x - t) >= 0.5 ? fabs(t) + 1.0 : t, x);
}
K_FN double min(double a, double b) { return __builtin_fmin(a, b); }
K_FN double max(double a, double b) { return __builtin_fmax(a, b); }
K_FN double min(double a, float b) { return __builtin_fmin(a, b); }
K_FN double max(double a, float b) { return __builtin_fmax(a, b); }
K_FN double min(float a, double b) { return __builtin_fmin(a, b); }
K_FN double max(float a, double b) { return __builtin_fmax(a, b); }
K_FN float min(float a, float b) { return __builtin_fminf(a, b); }
K_FN float max(float a, float b) { return __builtin_fmaxf(a, b); }

// Integral arguments count as double, as in C++.
template <bool> struct k_if {};
template <> struct k_if<true> { typedef double type; };
#define k_number(T) (__is_integral(T) || __is_floating_point(T))

#define K_OVERLOAD1(name)                                                                                              \
  K_FN float name(float x) { return name##f(x); }
#define K_OVERLOAD2(name)                                                                                              \
  K_FN float name(float a, float b) { return name##f(a, b); }
// A function of a double that has only its name in single precision: host code may call it.
#define K_SINGLE1(name)                                                                                                \
  K_OVERLOAD1(name)                                                                                                    \
  __host__ double name(double x);                                                                                      \
  K_ABSENT(#name " of a double is not available without libdevice: use " #name "f") double name(double x);             \
  template <class T> __host__ typename k_if<__is_integral(T)>::type name(T x);                                         \
  template <class T>                                                                                                   \
  K_ABSENT(#name " of a double is not available without libdevice: use " #name "f")                                    \
  typename k_if<__is_integral(T)>::type name(T x);
#define K_SINGLE2(name)                                                                                                \
  K_OVERLOAD2(name)                                                                                                    \
  __host__ double name(double a, double b);                                                                            \
  K_ABSENT(#name " of a double is not available without libdevice: use " #name "f") double name(double a, double b);   \
  template <class A, class B> __host__ typename k_if<k_number(A) && k_number(B)>::type name(A a, B b);                 \
  template <class A, class B>                                                                                          \
  K_ABSENT(#name " of a double is not available without libdevice: use " #name "f")                                    \
  typename k_if<k_number(A) && k_number(B)>::type name(A a, B b);
// A function without an implementation in either precision.
#define K_NEITHER(name, instead)                                                                                       \
  __host__ double name(double x);                                                                                      \
  K_ABSENT(#name " is not available without libdevice: " instead) double name(double x);                               \
  __host__ float name##f(float x);                                                                                     \
  K_ABSENT(#name "f is not available without libdevice: " instead) float name##f(float x);

K_OVERLOAD1(fabs)
K_OVERLOAD1(sqrt)
K_OVERLOAD1(rsqrt)
K_OVERLOAD1(floor)
K_OVERLOAD1(ceil)
K_OVERLOAD1(trunc)
K_OVERLOAD1(rint)
K_OVERLOAD1(nearbyint)
K_OVERLOAD1(round)
K_OVERLOAD2(fmin)
K_OVERLOAD2(fmax)
K_OVERLOAD2(copysign)
K_SINGLE1(exp)
K_SINGLE1(exp2)
K_SINGLE1(exp10)
K_SINGLE1(expm1)
K_SINGLE1(log)
K_SINGLE1(log2)
K_SINGLE1(log10)
K_SINGLE1(log1p)
K_SINGLE1(sin)
K_SINGLE1(cos)
K_SINGLE1(tan)
K_SINGLE1(sinpi)
K_SINGLE1(cospi)
K_SINGLE1(asin)
K_SINGLE1(acos)
K_SINGLE1(atan)
K_SINGLE1(sinh)
K_SINGLE1(cosh)
K_SINGLE1(tanh)
K_SINGLE1(asinh)
K_SINGLE1(acosh)
K_SINGLE1(atanh)
K_SINGLE1(cbrt)
K_SINGLE2(pow)
K_SINGLE2(atan2)
K_SINGLE2(fmod)
K_SINGLE2(hypot)
K_NEITHER(erf, "write it from expf")
K_NEITHER(erfc, "write it from expf")
K_NEITHER(erfinv, "write it from logf")
K_NEITHER(normcdf, "write it from expf")
K_NEITHER(normcdfinv, "write it from logf")
K_NEITHER(tgamma, "write it from expf and logf")
K_NEITHER(lgamma, "write it from logf")
K_NEITHER(j0, "write it from cosf")
K_NEITHER(j1, "write it from cosf")
#undef K_NEITHER
#undef K_SINGLE1
#undef K_SINGLE2
#undef k_number
#undef K_OVERLOAD1
#undef K_OVERLOAD2
K_FN float abs(float x) { return fabsf(x); }
K_FN float fma(float a, float b, float c) { return fmaf(a, b, c); }
K_FN float pow(float x, int n) { return powf(x, (float)n); }
K_FN float ldexp(float x, int n) { return ldexpf(x, n); }
K_FN void sincos(float x, float *s, float *c) { sincosf(x, s, c); }

#define K_INTEGRAL(name)                                                                                               \
  template <class T> K_FN typename k_if<__is_integral(T)>::type name(T x) { return name((double)x); }
K_INTEGRAL(sqrt)
K_INTEGRAL(floor)
K_INTEGRAL(ceil)
#undef K_INTEGRAL

#define K_CLASS(name, builtin)                                                                                         \
  K_FN bool name(float x) { return builtin(x); }                                                                       \
  K_FN bool name(double x) { return builtin(x); }
#undef isnan
#undef isinf
#undef isfinite
#undef signbit
K_CLASS(isnan, __builtin_isnan)
K_CLASS(isinf, __builtin_isinf)
K_CLASS(isfinite, __builtin_isfinite)
K_CLASS(signbit, __builtin_signbit)
#undef K_CLASS

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
