// What device code has of C's library beside the headers of kumiko compile: printf, assert, malloc, clock, and
// functions of double precision. The latter are libclc's, by their names there, where libclc is installed.
#pragma once
#include "kumiko/qualifiers.h"

extern "C" {
__device__ int printf(const char *, ...);
__device__ void *malloc(size_t);
__device__ void free(void *);
__device__ void __assertfail(const char *, const char *, unsigned, const char *, size_t) __attribute__((noreturn));
__device__ inline void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  __assertfail(text, file, line, function, 1);
}
}
__K_FN clock_t clock() { return (clock_t)__nvvm_read_ptx_sreg_clock(); }
__K_FN void *memcpy(void *to, const void *from, size_t n) { return __builtin_memcpy(to, from, n); }
__K_FN void *memset(void *p, int v, size_t n) { return __builtin_memset(p, v, n); }

#ifdef __KUMIKO_LIBCLC
#define __K_CLC1(T, name, symbol)                                                                                      \
  extern "C" __device__ T __k_clc_##name(T) __asm__(symbol);                                                           \
  __K_FN T name(T x) { return __k_clc_##name(x); }
#define __K_CLC2(T, name, symbol)                                                                                      \
  extern "C" __device__ T __k_clc_##name(T, T) __asm__(symbol);                                                        \
  __K_FN T name(T a, T b) { return __k_clc_##name(a, b); }
#else
#define __K_CLC1(T, name, symbol)                                                                                      \
  __K_ABSENT(#name " needs libclc (on Debian and Ubuntu: apt install libclc-19)") T name(T x);
#define __K_CLC2(T, name, symbol)                                                                                      \
  __K_ABSENT(#name " needs libclc (on Debian and Ubuntu: apt install libclc-19)") T name(T a, T b);
#endif
__K_CLC1(double, exp, "_Z3expd")
__K_CLC1(double, exp2, "_Z4exp2d")
__K_CLC1(double, exp10, "_Z5exp10d")
__K_CLC1(double, expm1, "_Z5expm1d")
__K_CLC1(double, log, "_Z3logd")
__K_CLC1(double, log2, "_Z4log2d")
__K_CLC1(double, log10, "_Z5log10d")
__K_CLC1(double, log1p, "_Z5log1pd")
__K_CLC1(double, sin, "_Z3sind")
__K_CLC1(double, cos, "_Z3cosd")
__K_CLC1(double, tan, "_Z3tand")
__K_CLC1(double, sinpi, "_Z5sinpid")
__K_CLC1(double, cospi, "_Z5cospid")
__K_CLC1(double, asin, "_Z4asind")
__K_CLC1(double, acos, "_Z4acosd")
__K_CLC1(double, atan, "_Z4atand")
__K_CLC1(double, sinh, "_Z4sinhd")
__K_CLC1(double, cosh, "_Z4coshd")
__K_CLC1(double, tanh, "_Z4tanhd")
__K_CLC1(double, asinh, "_Z5asinhd")
__K_CLC1(double, acosh, "_Z5acoshd")
__K_CLC1(double, atanh, "_Z5atanhd")
__K_CLC1(double, cbrt, "_Z4cbrtd")
__K_CLC1(double, erf, "_Z3erfd")
__K_CLC1(double, erfc, "_Z4erfcd")
__K_CLC1(double, tgamma, "_Z6tgammad")
__K_CLC1(double, lgamma, "_Z6lgammad")
__K_CLC1(float, erfcf, "_Z4erfcf")
__K_CLC1(float, tgammaf, "_Z6tgammaf")
__K_CLC1(float, lgammaf, "_Z6lgammaf")
__K_CLC2(double, pow, "_Z3powdd")
__K_CLC2(double, atan2, "_Z5atan2dd")
__K_CLC2(double, fmod, "_Z4fmoddd")
__K_CLC2(double, hypot, "_Z5hypotdd")
__K_CLC2(double, remainder, "_Z9remainderdd")
#undef __K_CLC1
#undef __K_CLC2
__K_FN double fdim(double a, double b) { return a <= b ? 0.0 : a - b; }
__K_FN double modf(double x, double *whole) {
  *whole = trunc(x);
  return copysign(fabs(x) == __builtin_inf() ? 0.0 : x - *whole, x);
}
__K_FN double ldexp(double x, int n) {
  n = n < -2200 ? -2200 : n > 2200 ? 2200 : n;
  int a = n / 3, b = n - 2 * a; // three factors that are normal numbers
  double f = __longlong_as_double((long long)(1023 + a) << 52);
  return x * f * f * __longlong_as_double((long long)(1023 + b) << 52);
}
__K_FN long lround(double x) { return (long)__double2ll_rz(round(x)); }
__K_FN long lrint(double x) { return (long)__double2ll_rn(x); }

#ifdef __KUMIKO_LIBCLC
__K_FN double pow(double x, int n) { return pow(x, (double)n); }
__K_FN void sincos(double x, double *s, double *c) { *s = sin(x), *c = cos(x); }
__K_FN void sincospi(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }
__K_FN float erfc(float x) { return erfcf(x); }
__K_FN float tgamma(float x) { return tgammaf(x); }
__K_FN float lgamma(float x) { return lgammaf(x); }

// An integer counts as a double, and of two types the wider one counts, as in <cmath>.
template <class T> using __k_double = typename __k_if<__is_integral(T)>::type;
template <class A, class B> using __k_mixed =
    typename __k_if<(__is_integral(A) || __is_floating_point(A)) && (__is_integral(B) || __is_floating_point(B)) &&
                    !__is_same(A, B) || __is_integral(A) && __is_integral(B)>::type;
#define __K_OF_INTEGER(name)                                                                                           \
  template <class T> __K_FN __k_double<T> name(T x) { return name((double)x); }
#define __K_OF_BOTH(name)                                                                                              \
  template <class A, class B> __K_FN __k_mixed<A, B> name(A a, B b) { return name((double)a, (double)b); }
__K_OF_INTEGER(exp)
__K_OF_INTEGER(exp2)
__K_OF_INTEGER(log)
__K_OF_INTEGER(log2)
__K_OF_INTEGER(log10)
__K_OF_INTEGER(sin)
__K_OF_INTEGER(cos)
__K_OF_INTEGER(tan)
__K_OF_INTEGER(atan)
__K_OF_INTEGER(fabs)
__K_OF_BOTH(pow)
__K_OF_BOTH(atan2)
__K_OF_BOTH(fmod)
__K_OF_BOTH(fmin)
__K_OF_BOTH(fmax)
#undef __K_OF_INTEGER
#undef __K_OF_BOTH
#endif
