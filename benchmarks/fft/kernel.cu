#include "cuda.h"

enum { n = 256, radix = 4, threads = n / radix };

struct Complex {
  float re, im;
};

DEVICE Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
DEVICE Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
DEVICE Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

// Four-point transform in place.
DEVICE void butterfly(Complex *v) {
  Complex a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3];
  Complex d = {v[1].im - v[3].im, v[3].re - v[1].re};  // -i (v1 - v3)
  v[0] = a + c;
  v[1] = b + d;
  v[2] = a - c;
  v[3] = b - d;
}

// Forward transform of 256 complex numbers per CTA, Stockham's order: 64 threads
// hold four numbers each and go through four stages of radix 4, with an exchange
// through shared memory after each but the last, of the real parts first and
// then of the imaginary ones.
KERNEL GPU_FFT(const Complex *in, Complex *out) {
  SHARED float s[n];
  int t = tid_x();
  in += cta_x() * n;
  out += cta_x() * n;
  Complex v[radix];
#pragma unroll
  for (int r = 0; r < radix; r++) v[r] = in[t + r * threads];
#pragma unroll
  for (int done = 1; done < n; done *= radix) {
    int k = t % done;
    float angle = -6.2831853071795864769f * (float)k / (float)(done * radix);
#pragma unroll
    for (int r = 1; r < radix; r++) {
      Complex w = {cos_approx((float)r * angle), sin_approx((float)r * angle)};
      v[r] = v[r] * w;
    }
    butterfly(v);
    int to = (t - k) * radix + k;
    if (done * radix == n) {
#pragma unroll
      for (int r = 0; r < radix; r++) out[to + r * done] = v[r];
      break;
    }
#pragma unroll
    for (int r = 0; r < radix; r++) s[to + r * done] = v[r].re;
    barrier();
#pragma unroll
    for (int r = 0; r < radix; r++) v[r].re = s[t + r * threads];
    barrier();
#pragma unroll
    for (int r = 0; r < radix; r++) s[to + r * done] = v[r].im;
    barrier();
#pragma unroll
    for (int r = 0; r < radix; r++) v[r].im = s[t + r * threads];
    barrier();
  }
}
