#include "cuda.h"

enum { image = 29, side1 = 13, maps1 = 6, side2 = 5, maps2 = 50, taps = 5, units3 = 100, units4 = 10 };

// 1.7159 tanh(2x/3), from the exponential.
DEVICE float activate(float x) {
  float e = exp_approx(2.0f * 0.66666667f * x);
  return 1.7159f * (1.0f - 2.0f / (e + 1.0f));
}

// A CTA per map (x) and image (y) in all layers; weights start with the bias.

// 29x29 to six maps of 13x13: 5x5 taps, two apart.
KERNEL executeFirstLayer(const float *in, const float *weights, float *out) {
  int map = cta_x(), x = tid_x(), y = tid_y();
  const float *w = weights + map * (taps * taps + 1);
  const float *from = in + cta_y() * image * image + 2 * y * image + 2 * x;
  float sum = *w++;
#pragma unroll 1
  for (int ky = 0; ky < taps; ky++)
#pragma unroll
    for (int kx = 0; kx < taps; kx++) sum += from[ky * image + kx] * *w++;
  out[(cta_y() * maps1 + map) * side1 * side1 + y * side1 + x] = activate(sum);
}

// Six maps of 13x13 to fifty of 5x5: 25 threads a CTA.
KERNEL executeSecondLayer(const float *in, const float *weights, float *out) {
  int map = cta_x(), x = tid_x(), y = tid_y();
  const float *w = weights + map * (maps1 * taps * taps + 1);
  const float *from = in + cta_y() * maps1 * side1 * side1 + 2 * y * side1 + 2 * x;
  float sum = *w++;
#pragma unroll 1
  for (int ky = 0; ky < taps; ky++)
#pragma unroll 1
    for (int kx = 0; kx < taps; kx++)
#pragma unroll
      for (int m = 0; m < maps1; m++)
        sum += from[m * side1 * side1 + ky * side1 + kx] * w[m * taps * taps + ky * taps + kx];
  out[(cta_y() * maps2 + map) * side2 * side2 + y * side2 + x] = activate(sum);
}

DEVICE float neuron(const float *in, const float *weights, int n) {
  float sum = *weights++;
#pragma unroll 4
  for (int i = 0; i < n; i++) sum += in[i] * weights[i];
  return activate(sum);
}

// 1250 values to a hundred: CTAs of one thread.
KERNEL executeThirdLayer(const float *in, const float *weights, float *out) {
  const int n = maps2 * side2 * side2;
  int unit = cta_x();
  out[cta_y() * units3 + unit] = neuron(in + cta_y() * n, weights + unit * (n + 1), n);
}

// A hundred values to ten, likewise.
KERNEL executeFourthLayer(const float *in, const float *weights, float *out) {
  int unit = cta_x();
  out[cta_y() * units4 + unit] = neuron(in + cta_y() * units3, weights + unit * (units3 + 1), units3);
}
