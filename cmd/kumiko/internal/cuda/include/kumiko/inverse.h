// More single-precision functions: inverse and hyperbolic ones, erf, roots and powers.
#pragma once
#include "math.h"

__K_FN float atanf(float x) {
  float a = fabsf(x), t = a > 1 ? 1.0f / a : a, z = t * t;
  float p = fmaf(z, 2.97455862e-3f, -0.0165810604f);
  p = fmaf(p, z, 0.0435533449f);
  p = fmaf(p, z, -0.0758056268f);
  p = fmaf(p, z, 0.106789336f);
  p = fmaf(p, z, -0.142142072f);
  p = fmaf(p, z, 0.199941367f);
  p = fmaf(p, z, -0.333331674f);
  float y = fmaf(p * z, t, t);
  return copysignf(a > 1 ? 1.57079637f - (y + 4.37113883e-08f) : y, x);
}
__K_FN float atan2f(float y, float x) {
  float a = fabsf(x), b = fabsf(y);
  if (a != a || b != b) return a + b;
  float most = fmaxf(a, b), least = fminf(a, b);
  float t = most == 0 ? 0.0f : a == b ? 1.0f : least / most;
  float r = atanf(t);
  if (b > a) r = 1.57079637f - (r + 4.37113883e-08f);
  if (__float_as_int(x) < 0) r = 3.14159274f - (r + 8.74227766e-08f);
  return copysignf(r, y);
}
__K_FN float __k_asin(float x, float z) {
  float p = fmaf(z, 0.0375782549f, 0.014393731f);
  p = fmaf(p, z, 0.031819839f);
  p = fmaf(p, z, 0.0445154682f);
  p = fmaf(p, z, 0.0750051215f);
  p = fmaf(p, z, 0.166666597f);
  return fmaf(p * z, x, x);
}
__K_FN float asinf(float x) {
  float a = fabsf(x);
  if (!(a > 0.5f)) return __k_asin(x, x * x);
  float z = fmaf(a, -0.5f, 0.5f), s = __k_asin(sqrtf(z), z);
  return copysignf(1.57079637f - fmaf(2.0f, s, 4.37113883e-08f), x);
}
__K_FN float acosf(float x) {
  float a = fabsf(x);
  if (!(a > 0.5f)) return 1.57079637f - (__k_asin(x, x * x) + 4.37113883e-08f);
  float z = fmaf(a, -0.5f, 0.5f), s = 2.0f * __k_asin(sqrtf(z), z);
  return x < 0 ? 3.14159274f - (s + 8.74227766e-08f) : s;
}

__K_FN float sinhf(float x) {
  float a = fabsf(x);
  if (a < 1) {
    float z = x * x, p = fmaf(z, 2.81743951e-06f, 1.98360663e-4f);
    p = fmaf(p, z, 8.33335053e-3f);
    p = fmaf(p, z, 0.166666672f);
    return fmaf(p * z, x, x);
  }
  if (a > 88) return copysignf(0.5f * expf(0.5f * a) * expf(0.5f * a), x);
  float e = expf(a);
  return copysignf(fmaf(0.5f, e, -0.5f / e), x);
}
__K_FN float coshf(float x) {
  float a = fabsf(x);
  if (a > 88) return 0.5f * expf(0.5f * a) * expf(0.5f * a);
  float e = expf(a);
  return fmaf(0.5f, e, 0.5f / e);
}
__K_FN float tanhf(float x) {
  float a = fabsf(x);
  if (a < 0.6f) {
    float z = x * x, p = fmaf(z, 2.23106216e-3f, -8.26708879e-3f);
    p = fmaf(p, z, 0.0217344388f);
    p = fmaf(p, z, -0.0539524741f);
    p = fmaf(p, z, 0.133332476f);
    p = fmaf(p, z, -0.333333313f);
    return fmaf(p * z, x, x);
  }
  return copysignf(a != a ? a : fmaf(-2.0f, 1.0f / (expf(2.0f * a) + 1.0f), 1.0f), x);
}
__K_FN float asinhf(float x) {
  float a = fabsf(x), z = a * a;
  float y = a > 0x1p30f ? logf(a) + 0.693147182f : log1pf(a + z / (1.0f + sqrtf(fmaf(a, a, 1.0f))));
  return copysignf(y, x);
}
__K_FN float acoshf(float x) {
  float t = x - 1.0f;
  if (x > 0x1p30f) return logf(x) + 0.693147182f;
  return t < 0 ? __builtin_nanf("") : log1pf(t + sqrtf(fmaf(t, t, 2.0f * t)));
}
__K_FN float atanhf(float x) {
  float a = fabsf(x);
  return copysignf(0.5f * log1pf(2.0f * a / (1.0f - a)), x);
}

// From 1 on erfc is 2 to a polynomial; from 4 on it is nothing beside 1.
__K_FN float erff(float x) {
  float a = fabsf(x);
  if (a < 1) {
    float z = x * x, p = fmaf(z, 7.85385128e-05f, -8.0101908e-4f);
    p = fmaf(p, z, 5.18832728e-3f);
    p = fmaf(p, z, -0.026853811f);
    p = fmaf(p, z, 0.112835854f);
    p = fmaf(p, z, -0.37612626f);
    p = fmaf(p, z, 0.128379166f);
    return fmaf(p, x, x);
  }
  float t = fminf(a, 4.0f), p = fmaf(t, 2.68887758e-4f, -4.25256696e-3f);
  p = fmaf(p, t, 0.0315056518f);
  p = fmaf(p, t, -0.148751572f);
  p = fmaf(p, t, -0.920648396f);
  p = fmaf(p, t, -1.62604594f);
  p = fmaf(p, t, -4.92715684e-4f);
  return copysignf(a != a ? a : 1.0f - __k_ex2(p), x);
}

__K_FN float cbrtf(float x) {
  float a = fabsf(x);
  if (a == 0 || !(a < __builtin_inff())) return x + x;
  int low = a < 0x1p-126f;
  if (low) a *= 0x1p24f;
  float y = __k_ex2(__k_lg2(a) * 0.333333333f);
  y = fmaf(fmaf(-y * y, y, a), 1.0f / (3.0f * y * y), y);
  return copysignf(low ? y * 0x1p-8f : y, x);
}
__K_FN float rcbrtf(float x) { return 1.0f / cbrtf(x); }
__K_FN float hypotf(float x, float y) {
  float a = fmaxf(fabsf(x), fabsf(y)), b = fminf(fabsf(x), fabsf(y));
  if (a == 0 || a == __builtin_inff()) return a;
  if (x != x || y != y) return x + y;
  float t = b / a;
  return a * sqrtf(fmaf(t, t, 1.0f));
}
__K_FN float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
__K_FN float norm3df(float x, float y, float z) { return hypotf(hypotf(x, y), z); }

// log2 a as a sum of two floats; a is positive and finite.
__K_FN float __k_log2(float a, float *rest) {
  int low = a < 0x1p-126f;
  int b = __float_as_int(low ? a * 0x1p24f : a);
  int n = (b - 0x3f3504f3) >> 23; // m from 1/sqrt(2) to sqrt(2)
  float m = __int_as_float(b - (n << 23)), e = (float)(n - 24 * low);
  float u = m - 1.0f, v = m + 1.0f, inverse = 1.0f / v;
  float s = u * inverse;
  float t = (fmaf(-s, v, u) - s * (m - (v - 1.0f))) * inverse; // u / v = s + t
  float z = s * s, p = fmaf(z, 0.117925875f, 0.142685801f);
  p = fmaf(p, z, 0.200001687f);
  p = fmaf(p, z, 0.333333313f) * z * s;
  float h = __fmul_rn(s, 2.88539004f);
  float l = fmaf(s, 2.88539004f, -h) + fmaf(s, 3.85192607e-08f, (t + p) * 2.88539004f);
  float sum = e + h;
  l += h - (sum - e);
  float y = sum + l;
  *rest = l - (y - sum);
  return y;
}
__K_LONG float powf(float x, float y) {
  float a = fabsf(x);
  if (x == 1 || y == 0) return 1.0f;
  if (x != x || y != y) return x + y;
  bool whole = truncf(y) == y, odd = whole && fabsf(y) < 0x1p24f && ((int)y & 1);
  float r;
  if (a == 0 || a == __builtin_inff()) {
    r = (a == 0) == (y < 0) ? __builtin_inff() : 0.0f;
  } else if (x < 0 && !whole) {
    return __builtin_nanf("");
  } else if (a == 1) {
    r = 1.0f;
  } else {
    float rest, l = __k_log2(a, &rest), p = __fmul_rn(y, l);
    if (fabsf(p) < 200.0f) {
      float n = rintf(p), f = (p - n) + fmaf(y, rest, fmaf(y, l, -p));
      r = __k_scale(__k_ex2(f), n);
    } else {
      r = p > 0 ? __builtin_inff() : 0.0f;
    }
  }
  return odd ? copysignf(r, x) : r;
}
