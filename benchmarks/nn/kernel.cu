#include "cuda.h"

enum { image = 29, side1 = 13, maps1 = 6, side2 = 5, maps2 = 50, taps = 5, units3 = 100, units4 = 10 };

// 1.7159 tanh(2x/3), from the exponential.
DEVICE float activate(float x) {
  float e = exp_approx(2.0f * 0.66666667f * x);
  return 1.7159f * (1.0f - 2.0f / (e + 1.0f));
}

// A CTA per map (x) and image (y) in all layers; weights start with the bias.

// Where the 25 taps lie from a window's first value, in rows of 29 and of 13:
// tables in constant memory, as in the published program.
CONSTANT int taps1[taps * taps] = {0,  1,  2,  3,  4,  29, 30, 31,  32,  33,  58,  59, 60,
                                   61, 62, 87, 88, 89, 90, 91, 116, 117, 118, 119, 120};
CONSTANT int taps2[taps * taps] = {0,  1,  2,  3,  4,  13, 14, 15, 16, 17, 26, 27, 28,
                                   29, 30, 39, 40, 41, 42, 43, 52, 53, 54, 55, 56};

// 29x29 to six maps of 13x13: 5x5 taps, two apart.
KERNEL executeFirstLayer(const float *in, const float *weights, float *out) {
  int map = cta_x(), x = 2 * tid_x(), y = 2 * tid_y();
  int w = map * (taps * taps + 1);
  float sum = weights[w++];
#pragma unroll 1
  for (int i = 0; i < taps * taps; i++)
    sum += in[image * y + x + taps1[i] + cta_y() * image * image] * weights[w + i];
  out[(cta_y() * maps1 + map) * side1 * side1 + tid_y() * side1 + tid_x()] = activate(sum);
}

// Six maps of 13x13 to fifty of 5x5: 25 threads a CTA. The weights of a tap for
// the six maps lie side by side.
KERNEL executeSecondLayer(const float *in, const float *weights, float *out) {
  const int n = side1 * side1;
  int map = cta_x(), x = 2 * tid_x(), y = 2 * tid_y();
  int w = map * (maps1 * taps * taps + 1);
  float sum = weights[w++];
#pragma unroll 1
  for (int i = 0; i < taps * taps; i++)
#pragma unroll
    for (int m = 0; m < maps1; m++)
      sum += in[m * n + x + side1 * y + taps2[i] + cta_y() * maps1 * n] * weights[w + i * maps1 + m];
  out[(cta_y() * maps2 + map) * side2 * side2 + tid_y() * side2 + tid_x()] = activate(sum);
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
