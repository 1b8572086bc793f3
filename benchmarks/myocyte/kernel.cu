#include "cuda.h"

// The cardiac action potential of Beeler and Reuter (J. Physiol. 268, 1977) by
// the embedded method of Runge, Kutta and Fehlberg of orders 4 and 5, a cell per
// thread: straight-line arithmetic with exponentials and divisions, and all
// slopes of a step live at once.
enum { V, Ca, X, M, H, J, D, F, variables, slopes = 6 };

struct State {
  float at[variables];
};

// A rate of the model's common form,
//   (c1 exp(c2 (v + c3)) + c4 (v + c5)) / (exp(c6 (v + c3)) + c7).
DEVICE float rate(float v, float c1, float c2, float c3, float c4, float c5, float c6, float c7) {
  float num = c4 * (v + c5), den = c7;
  if (c1 != 0) num += c1 * exp_approx(c2 * (v + c3));
  if (c6 != 0)
    den += exp_approx(c6 * (v + c3));
  else
    den += 1.0f;
  return num / den;
}

DEVICE float gate(float y, float opening, float closing) { return opening * (1.0f - y) - closing * y; }

// Time is in ms, potential in mV, calcium in 1e-7 mol/l.
DEVICE State slope(State s, float stimulus) {
  float v = s.at[V];
  State d;
  d.at[X] = gate(s.at[X], rate(v, 0.0005f, 0.083f, 50, 0, 0, 0.057f, 1), rate(v, 0.0013f, -0.06f, 20, 0, 0, -0.04f, 1));
  d.at[M] = gate(s.at[M], rate(v, 0, 0, 47, -1, 47, -0.1f, -1), rate(v, 40, -0.056f, 72, 0, 0, 0, 0));
  d.at[H] = gate(s.at[H], rate(v, 0.126f, -0.25f, 77, 0, 0, 0, 0), rate(v, 1.7f, 0, 22.5f, 0, 0, -0.082f, 1));
  d.at[J] = gate(s.at[J], rate(v, 0.055f, -0.25f, 78, 0, 0, -0.2f, 1), rate(v, 0.3f, 0, 32, 0, 0, -0.1f, 1));
  d.at[D] = gate(s.at[D], rate(v, 0.095f, -0.01f, -5, 0, 0, -0.072f, 1), rate(v, 0.07f, -0.017f, 44, 0, 0, 0.05f, 1));
  d.at[F] = gate(s.at[F], rate(v, 0.012f, -0.008f, 28, 0, 0, 0.15f, 1), rate(v, 0.0065f, -0.02f, 30, 0, 0, -0.2f, 1));

  float k1 = 0.35f * (4.0f * (exp_approx(0.04f * (v + 85)) - 1.0f) / (exp_approx(0.08f * (v + 53)) + exp_approx(0.04f * (v + 53))) +
                      0.2f * (v + 23) / (1.0f - exp_approx(-0.04f * (v + 23))));
  float x1 = s.at[X] * 0.8f * (exp_approx(0.04f * (v + 77)) - 1.0f) / exp_approx(0.04f * (v + 35));
  float na = (4.0f * s.at[M] * s.at[M] * s.at[M] * s.at[H] * s.at[J] + 0.003f) * (v - 50);
  float reversal = -82.3f - 13.0287f * (log_approx(s.at[Ca]) - 16.11809565f);  // log(1e-7)
  float slow = 0.09f * s.at[D] * s.at[F] * (v - reversal);
  d.at[V] = stimulus - (k1 + x1 + na + slow);
  d.at[Ca] = -slow + 0.07f * (1.0f - s.at[Ca]);
  return d;
}

// Fehlberg's coefficients.
DEVICE float coefficient(int stage, int j) {
  const float a[slopes][slopes - 1] = {
      {0, 0, 0, 0, 0},
      {1.0f / 4, 0, 0, 0, 0},
      {3.0f / 32, 9.0f / 32, 0, 0, 0},
      {1932.0f / 2197, -7200.0f / 2197, 7296.0f / 2197, 0, 0},
      {439.0f / 216, -8, 3680.0f / 513, -845.0f / 4104, 0},
      {-8.0f / 27, 2, -3544.0f / 2565, 1859.0f / 4104, -11.0f / 40},
  };
  return a[stage][j];
}

KERNEL solver(float *state, float *error, int cells, int steps, float h, float stimulus) {
  const float fifth[slopes] = {16.0f / 135, 0, 6656.0f / 12825, 28561.0f / 56430, -9.0f / 50, 2.0f / 55};
  const float difference[slopes] = {1.0f / 360, 0, -128.0f / 4275, -2197.0f / 75240, 1.0f / 50, 2.0f / 55};
  int i = global_x();
  if (i >= cells) return;
  State s;
#pragma unroll
  for (int k = 0; k < variables; k++) s.at[k] = state[k * cells + i];
  float worst = 0;
#pragma unroll 1
  for (int step = 0; step < steps; step++) {
    State d[slopes];
#pragma unroll
    for (int stage = 0; stage < slopes; stage++) {
      State t = s;
#pragma unroll
      for (int j = 0; j < stage; j++)
#pragma unroll
        for (int k = 0; k < variables; k++) t.at[k] += h * coefficient(stage, j) * d[j].at[k];
      d[stage] = slope(t, stimulus);
    }
#pragma unroll
    for (int k = 0; k < variables; k++) {
      float sum = 0, off = 0;
#pragma unroll
      for (int j = 0; j < slopes; j++) {
        sum += fifth[j] * d[j].at[k];
        off += difference[j] * d[j].at[k];
      }
      s.at[k] += h * sum;
      worst = fmax(worst, fabs(h * off));
    }
  }
#pragma unroll
  for (int k = 0; k < variables; k++) state[k * cells + i] = s.at[k];
  error[i] = worst;
}
