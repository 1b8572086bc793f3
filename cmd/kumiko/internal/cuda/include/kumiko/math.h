// Single-precision functions beyond single instructions, written from their definitions. docs/cuda.md has the
// largest error of each; a test compares them with double precision.
#pragma once
#include "float.h"

// The exact ones.
__K_FN float fabsf(float x) { return __builtin_fabsf(x); }
__K_FN float fminf(float a, float b) { return __builtin_fminf(a, b); }
__K_FN float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
__K_FN float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__K_FN float sqrtf(float x) { return __fsqrt_rn(x); }
__K_FN float floorf(float x) { return __builtin_floorf(x); }
__K_FN float ceilf(float x) { return __builtin_ceilf(x); }
__K_FN float truncf(float x) { return __builtin_truncf(x); }
__K_FN float rintf(float x) { return __builtin_rintf(x); }
__K_FN float nearbyintf(float x) { return __builtin_rintf(x); }
__K_FN float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
__K_FN float fdimf(float a, float b) { return a <= b ? 0.0f : a - b; }
__K_FN float roundf(float x) {
  float t = truncf(x);
  return copysignf(fabsf(x - t) >= 0.5f ? fabsf(t) + 1.0f : t, x);
}
__K_FN long lrintf(float x) { return (long)__float2ll_rn(x); }
__K_FN long long llrintf(float x) { return __float2ll_rn(x); }
__K_FN long lroundf(float x) { return (long)__float2ll_rz(roundf(x)); }
__K_FN long long llroundf(float x) { return __float2ll_rz(roundf(x)); }
__K_FN float ldexpf(float x, int n) {
  n = n < -400 ? -400 : n > 400 ? 400 : n;
  return (float)((double)x * __longlong_as_double((long long)(1023 + n) << 52));
}
__K_FN float scalbnf(float x, int n) { return ldexpf(x, n); }
__K_FN float modff(float x, float *whole) {
  *whole = truncf(x);
  return copysignf(fabsf(x) == __builtin_inff() ? 0.0f : x - *whole, x);
}
__K_LONG float frexpf(float x, int *n) {
  *n = 0;
  if (x == 0 || !(fabsf(x) < __builtin_inff())) return x;
  int low = fabsf(x) < 0x1p-126f;
  int b = __float_as_int(low ? x * 0x1p24f : x);
  *n = (b >> 23 & 255) - 126 - 24 * low;
  return __int_as_float((b & 0x807fffff) | 126 << 23);
}
// Subtracts y times falling powers of two, each time exactly.
__K_LONG float fmodf(float x, float y) {
  float a = fabsf(x), b = fabsf(y), t = b;
  if (!(a < __builtin_inff()) || !(b > 0)) return __builtin_nanf("");
  if (a < b) return x;
  while (t <= a * 0.5f) t *= 2;
  for (; t >= b; t *= 0.5f)
    if (a >= t) a -= t;
  return copysignf(a, x);
}

__K_FN float rsqrtf(float x) { return __frsqrt_rn(x); }
__K_FN float exp2f(float x) { return __k_ex2(x); }

// 2^n x for an integral n of at most 300 in size.
__K_FN float __k_scale(float x, float n) {
  float half = truncf(n * 0.5f);
  return x * __k_ex2(half) * __k_ex2(n - half);
}
// 2^(x (hi + lo)), with the product's fraction to more than single precision.
__K_FN float __k_exp(float x, float hi, float lo) {
  float t = x * hi, n = rintf(fminf(fmaxf(t, -300.0f), 300.0f));
  float f = fmaf(x, lo, fmaf(x, hi, -n));
  return t != t ? t : __k_scale(__k_ex2(fminf(fmaxf(f, -1.0f), 1.0f)), n);
}
__K_FN float expf(float x) { return __k_exp(x, 1.44269502f, 1.92596303e-08f); }
__K_FN float exp10f(float x) { return __k_exp(x, 3.32192802f, 7.05953696e-08f); }
__K_FN float expm1f(float x) {
  if (fabsf(x) > 0.5f) return expf(x) - 1.0f;
  float p = fmaf(x, 1.98498296e-4f, 1.39961776e-3f);
  p = fmaf(p, x, 8.33357871e-3f);
  p = fmaf(p, x, 0.0416653603f);
  p = fmaf(p, x, 0.166666642f);
  p = fmaf(p, x, 0.50000006f);
  return fmaf(x * x, p, x);
}

// x = m 2^e with m from 2/3 to 4/3. Returns ln m - (m - 1), and m - 1 in f.
__K_FN float __k_log(float x, float *f, float *e) {
  int low = x < 0x1p-126f;
  int b = __float_as_int(low ? x * 0x1p24f : x);
  int n = (b - 0x3f2aaaab) >> 23;
  *e = (float)(n - 24 * low);
  float m = *f = __int_as_float(b - (n << 23)) - 1.0f;
  float p = fmaf(m, -0.129490852f, 0.140047461f);
  p = fmaf(p, m, -0.121671245f);
  p = fmaf(p, m, 0.140011638f);
  p = fmaf(p, m, -0.166823089f);
  p = fmaf(p, m, 0.20010747f);
  p = fmaf(p, m, -0.249997169f);
  p = fmaf(p, m, 0.333332092f);
  p = fmaf(p, m, -0.5f);
  return p * (m * m);
}
// What every logarithm gives for zero, negative numbers, infinity and NaN.
__K_FN float __k_logs(float x, float y) {
  if (x > 0 && x < __builtin_inff()) return y;
  return x == 0 ? -__builtin_inff() : x > 0 ? x : __builtin_nanf("");
}
__K_FN float logf(float x) {
  float f, e, p = __k_log(x, &f, &e);
  return __k_logs(x, fmaf(e, 0.693147182f, f + fmaf(e, -1.90465421e-09f, p)));
}
__K_FN float log2f(float x) {
  float f, e, p = __k_log(x, &f, &e);
  float y = fmaf(f, 1.92596303e-08f, p * 1.44269502f);
  return __k_logs(x, e + fmaf(f, 1.44269502f, y));
}
__K_FN float log10f(float x) {
  float f, e, p = __k_log(x, &f, &e);
  float y = fmaf(e, -1.43209888e-08f, fmaf(f, -1.010305e-08f, p * 0.434294492f));
  return __k_logs(x, fmaf(e, 0.30103001f, fmaf(f, 0.434294492f, y)));
}
__K_FN float log1pf(float x) {
  float u = 1.0f + x, lost = x - (u - 1.0f);
  if (!(u > 0 && u < __builtin_inff())) return __k_logs(u, u);
  return fabsf(x) < 0x1p-24f ? x : logf(u) + lost / u;
}

// The remainder of x by pi/2, from -pi/4 to pi/4, and the quotient's last two bits.
__K_LONG float __k_far(float x, int *q) {
  static constexpr unsigned two_over_pi[9] = {0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                              0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561};
  int b = __float_as_int(x), off = (b >> 23 & 255) - 150 + 30;
  unsigned m = (b & 0x7fffff) | 0x800000;
  const unsigned *w = two_over_pi + (off >> 5);
  unsigned long long a = (unsigned long long)w[0] << 32 | w[1], c = (unsigned long long)w[2] << 32 | w[3];
  int s = off & 31;
  unsigned hi = (unsigned)(a >> (32 - s)), lo = (unsigned)(c >> (32 - s));
  unsigned mid = (unsigned)((a << 32 | c >> 32) >> (32 - s));
  unsigned long long t = (unsigned long long)m * lo, u = (unsigned long long)m * mid + (t >> 32);
  unsigned r2 = m * hi + (unsigned)(u >> 32), r1 = (unsigned)u, r0 = (unsigned)t;
  unsigned long long f = (unsigned long long)(r2 << 2 | r1 >> 30) << 32 | (r1 << 2 | r0 >> 30);
  int n = (int)(r2 >> 30) + (int)(f >> 63);
  float r = (float)((double)(long long)f * 8.5153039502163873e-20); // pi/2 / 2^64
  *q = b < 0 ? -n : n;
  return b < 0 ? -r : r;
}
__K_FN float __k_reduce(float x, int *q) {
  float k = rintf(x * 0.636619772f);
  *q = (int)k;
  float r = fmaf(k, -1.57079637f, x);
  r = fmaf(k, 4.37113883e-08f, r);
  r = fmaf(k, 1.71512451e-15f, r);
  if (fabsf(x) > 105615.0f) r = fabsf(x) < __builtin_inff() ? __k_far(x, q) : __builtin_nanf("");
  return r;
}
__K_FN float __k_sin(float r) {
  float z = r * r, p = fmaf(z, 2.71821705e-06f, -1.98393245e-4f);
  p = fmaf(p, z, 8.33332911e-3f);
  p = fmaf(p, z, -0.166666672f);
  return fmaf(r * z, p, r);
}
__K_FN float __k_cos(float r) {
  float z = r * r, p = fmaf(z, 2.44322091e-05f, -1.38873083e-3f);
  p = fmaf(p, z, 0.0416666456f);
  return fmaf(z * z, p, fmaf(z, -0.5f, 1.0f));
}
__K_FN float __k_turn(float r, int q) {
  float y = q & 1 ? __k_cos(r) : __k_sin(r);
  return q & 2 ? -y : y;
}
__K_FN float sinf(float x) {
  int q;
  float r = __k_reduce(x, &q);
  return __k_turn(r, q);
}
__K_FN float cosf(float x) {
  int q;
  float r = __k_reduce(x, &q);
  return __k_turn(r, q + 1);
}
__K_FN void sincosf(float x, float *s, float *c) {
  int q;
  float r = __k_reduce(x, &q);
  *s = __k_turn(r, q), *c = __k_turn(r, q + 1);
}
__K_FN float tanf(float x) {
  int q;
  float r = __k_reduce(x, &q), s = __k_sin(r), c = __k_cos(r);
  return q & 1 ? -c / s : s / c;
}
// x is reduced exactly: to half-turns, then to eighths. From 2^24 on x is even.
__K_FN float __k_half_turns(float x, int *q) {
  if (!(fabsf(x) < 0x1p24f)) x *= 0.0f;
  float k = rintf(2 * x);
  *q = (int)(k - 4 * rintf(k * 0.25f));
  return fmaf(k, -0.5f, x) * 3.14159274f;
}
__K_FN float sinpif(float x) {
  int q;
  float r = __k_half_turns(x, &q);
  return __k_turn(r, q);
}
__K_FN float cospif(float x) {
  int q;
  float r = __k_half_turns(x, &q);
  return __k_turn(r, q + 1);
}
