#include "cuda.h"

// A column model of cloud microphysics with five classes of water: vapour, cloud
// water, rain, cloud ice and snow, in the manner of Hong, Dudhia and Chen (Mon.
// Wea. Rev. 132, 2004) with simplified rates. A thread per column; its profile is
// in local memory.
enum { maxLevels = 32, vapour = 0, cloud, rain, ice, snow, classes };

#define PI 3.14159265f
#define T0 273.16f        // melting point, K
#define LV 2.5e6f         // latent heats of condensation, sublimation, fusion, J/kg
#define LS 2.83e6f
#define LF 3.3e5f
#define RV 461.5f         // gas constant of vapour, J/(kg K)
#define CONDUCT 0.024f    // of heat in air, W/(m K)
#define DIFFUSE 2.26e-5f  // of vapour in air, m2/s
#define N0R 8e6f          // intercept of the rain drops' distribution, 1/m4

DEVICE float pow_approx(float x, float y) { return exp2_approx(y * log2_approx(x)); }

// Slopes of the exponential size distributions, 1/m.
DEVICE float rain_slope(float q, float rho) { return q > 1e-9f ? fmin(pow_approx(PI * 1000.0f * N0R / (rho * q), 0.25f), 8e4f) : 8e4f; }

DEVICE float snow_slope(float q, float rho, float n0) { return q > 1e-9f ? fmin(pow_approx(PI * 100.0f * n0 / (rho * q), 0.25f), 1e5f) : 1e5f; }

DEVICE float snow_intercept(float tc) { return fmin(2e6f * exp_approx(-0.12f * tc), 1e11f); }

// Growth by vapour: conduction of heat against diffusion.
DEVICE float resistance(float latent, float rho, float t, float saturated) {
  return rho * latent * latent / (CONDUCT * RV * t * t) + 1.0f / (saturated * DIFFUSE);
}

DEVICE float saturation(float pressure, float vapourPressure) { return 0.622f * vapourPressure / fmax(pressure - vapourPressure, 1.0f); }

DEVICE float over_water(float t, float p) { return saturation(p, 610.78f * exp_approx(17.269f * (t - T0) / (t - 35.86f))); }

DEVICE float over_ice(float t, float p) { return saturation(p, 610.78f * exp_approx(21.8746f * (t - T0) / (t - 7.66f))); }

// All conversions between the classes in one level over a time step.
DEVICE void convert(float &t, float *q, float p, float rho, float dt) {
  float tc = t - T0, perStep = 1.0f / dt;
  float qsw = over_water(t, p), qsi = over_ice(t, p);
  float cp = 1004.0f * (1.0f + 0.81f * q[vapour]);
  float thin = sqrt(1.28f / rho);
  float n0s = snow_intercept(tc);
  float lr = rain_slope(q[rain], rho), ls = snow_slope(q[snow], rho, n0s);
  float lr2 = 1.0f / (lr * lr), ls2 = 1.0f / (ls * ls);

  float collect = fmin(0.001f * fmax(q[cloud] - 5e-4f, 0), q[cloud] * perStep);
  float sweep = PI / 4 * 841.9f * N0R * 4.694f * q[cloud] * pow_approx(lr, -3.8f) * thin;
  float evaporate = 0;
  if (q[vapour] < qsw && q[rain] > 0) {
    float ventilate = 0.78f * lr2 + 0.31f * 29.0f * 1.827f * 130.0f * pow_approx(lr, -2.9f);
    evaporate = fmin(2.0f * PI * N0R * (1.0f - q[vapour] / qsw) * ventilate / (rho * resistance(LV, rho, t, qsw)), q[rain] * perStep);
  }

  float nucleate = 0, deposit = 0, gather = 0, sweepIce = 0, rime = 0, freeze = 0, melt = 0, meltIce = 0;
  float ventilate = 0.65f * ls2 + 0.44f * 3.423f * 1.55f * 130.0f * pow_approx(ls, -2.705f);
  if (tc < 0) {
    float excess = 0.5f * (q[vapour] - qsi) * perStep;
    if (excess > 0) {
      float crystals = 1e3f * exp_approx(-0.1f * tc);
      nucleate = fmin(fmax(4.92e-11f * pow_approx(crystals, 1.33f) / rho - q[ice], 0) * perStep, excess);
    }
    if (q[snow] > 0) {
      deposit = 4.0f * n0s * (q[vapour] / qsi - 1.0f) * ventilate / (rho * resistance(LS, rho, t, qsi));
      deposit = deposit > 0 ? fmin(deposit, fmax(excess - nucleate, 0)) : fmax(deposit, -q[snow] * perStep);
    }
    float sweepAll = PI / 4 * 11.72f * n0s * 3.0f * pow_approx(ls, -3.41f) * thin;
    gather = 0.001f * exp_approx(0.07f * tc) * fmax(q[ice] - 1e-4f, 0);
    sweepIce = sweepAll * q[ice] * exp_approx(0.025f * tc);
    rime = sweepAll * q[cloud];
    if (tc < -40.0f) freeze = q[cloud] * perStep;
  } else {
    melt = fmin(2.0f * PI * CONDUCT / LF * tc * n0s * ventilate / rho, q[snow] * perStep);
    meltIce = q[ice] * perStep;
  }

  // No class may lose more than it has.
  float drain = (collect + sweep + rime + freeze) * dt;
  if (drain > q[cloud]) {
    float share = q[cloud] / drain;
    collect *= share;
    sweep *= share;
    rime *= share;
    freeze *= share;
  }
  drain = (gather + sweepIce) * dt;
  if (drain > q[ice]) {
    float share = q[ice] / drain;
    gather *= share;
    sweepIce *= share;
  }

  q[vapour] = fmax(q[vapour] + dt * (evaporate - nucleate - deposit), 0);
  q[cloud] = fmax(q[cloud] + dt * (meltIce - collect - sweep - rime - freeze), 0);
  q[rain] = fmax(q[rain] + dt * (collect + sweep + melt - evaporate), 0);
  q[ice] = fmax(q[ice] + dt * (nucleate + freeze - gather - sweepIce - meltIce), 0);
  q[snow] = fmax(q[snow] + dt * (deposit + gather + sweepIce + rime - melt), 0);
  t += dt / cp * (LS * (nucleate + deposit) + LF * (rime + freeze - melt - meltIce) - LV * evaporate);

  // What is over saturation condenses, and cloud water makes up what is missing.
  qsw = over_water(t, p);
  float condense = (q[vapour] - qsw) / (1.0f + LV * LV * qsw / (cp * RV * t * t));
  condense = fmax(condense, -q[cloud]);
  q[vapour] -= condense;
  q[cloud] += condense;
  t += LV / cp * condense;
}

// Fields lie level by level from the ground up, `columns` apart; a class's levels
// follow those of the class before.
KERNEL wsm5_gpu(float *temperature, float *water, const float *pressure, const float *density, float *precipitation, int w,
                int h, int levels, float dz, float dt) {
  int x = global_x(), y = global_y();
  if (x >= w || y >= h) return;
  int columns = w * h, column = y * w + x;
  float t[maxLevels], q[classes][maxLevels], fallRain[maxLevels], fallSnow[maxLevels];
#pragma unroll 1
  for (int k = 0; k < levels; k++) {
    float level[classes];
    float here = temperature[k * columns + column];
#pragma unroll
    for (int c = 0; c < classes; c++) level[c] = water[(c * levels + k) * columns + column];
    float rho = density[k * columns + column];
    convert(here, level, pressure[k * columns + column], rho, dt);
    t[k] = here;
#pragma unroll
    for (int c = 0; c < classes; c++) q[c][k] = level[c];
    float thin = sqrt(1.28f / rho);
    fallRain[k] = rho * level[rain] * 2503.0f * pow_approx(rain_slope(level[rain], rho), -0.8f) * thin;
    float n0s = snow_intercept(here - T0);
    fallSnow[k] = rho * level[snow] * 20.1f * pow_approx(snow_slope(level[snow], rho, n0s), -0.41f) * thin;
  }
  // Rain and snow fall by a level at most.
#pragma unroll 1
  for (int k = 0; k < levels; k++) {
    float mass = density[k * columns + column] * dz;
    float most = mass / dt;
    float outRain = fmin(fallRain[k], most * q[rain][k]), outSnow = fmin(fallSnow[k], most * q[snow][k]);
    float inRain = 0, inSnow = 0;
    if (k + 1 < levels) {
      float above = density[(k + 1) * columns + column] * dz / dt;
      inRain = fmin(fallRain[k + 1], above * q[rain][k + 1]);
      inSnow = fmin(fallSnow[k + 1], above * q[snow][k + 1]);
    }
    temperature[k * columns + column] = t[k];
    water[(vapour * levels + k) * columns + column] = q[vapour][k];
    water[(cloud * levels + k) * columns + column] = q[cloud][k];
    water[(rain * levels + k) * columns + column] = q[rain][k] + dt * (inRain - outRain) / mass;
    water[(ice * levels + k) * columns + column] = q[ice][k];
    water[(snow * levels + k) * columns + column] = q[snow][k] + dt * (inSnow - outSnow) / mass;
    if (k == 0) precipitation[column] = dt * (outRain + outSnow);
  }
}
