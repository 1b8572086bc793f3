#include "cuda.h"

enum { maxRates = 80, maxMaturities = 40, maxOptions = 15 };

CONSTANT int rates;       // forward rates in use
CONSTANT int steps;       // maturities, the time steps of a path
CONSTANT int options;     // swaptions in the portfolio
CONSTANT float accrual;   // length of a period, years
CONSTANT float lambda[maxRates];       // volatilities
CONSTANT float swapRate[maxOptions];
CONSTANT int maturity[maxOptions];     // periods after the last step, from 1

// Its argument, which the compiler cannot see through: what is computed from it
// stays where it is, and does not fill registers from the kernel's beginning on.
DEVICE int opaque(int v) {
  asm volatile("" : "+r"(v));
  return v;
}

// One time step of the LIBOR market model under the spot measure.
DEVICE void advance(float *L, float z, int n) {
  float root = sqrt(accrual) * z;
  float v = 0;
#pragma unroll 1
  for (int i = opaque(n + 1); i < rates; i++) {
    float lam = lambda[i - n - 1];
    float con = accrual * lam;
    v += con * L[i] / (1.0f + accrual * L[i]);
    L[i] *= exp_approx(con * v + lam * (root - 0.5f * con));
  }
}

// As advance, and keeps what the adjoint needs: the rates after the step.
DEVICE void advance_saving(float *L, float z, int n, float *saved) {
  advance(L, z, n);
#pragma unroll 1
  for (int i = opaque(n + 1); i < rates; i++) saved[(n + 1) * maxRates + i] = L[i];
}

// Value of the swaptions at the last step, discounted to today.
DEVICE float portfolio(const float *L) {
  float B[maxMaturities], S[maxMaturities];
  float b = 1, s = 0;
#pragma unroll 1
  for (int n = opaque(steps); n < rates; n++) {
    b /= 1.0f + accrual * L[n];
    s += accrual * b;
    B[n - steps] = b;
    S[n - steps] = s;
  }
  float v = 0;
#pragma unroll 1
  for (int i = 0; i < options; i++) {
    int m = maturity[i] - 1;
    float swap = B[m] + swapRate[i] * S[m] - 1.0f;
    if (swap < 0) v -= 100.0f * swap;
  }
#pragma unroll 1
  for (int n = opaque(0); n < steps; n++) v /= 1.0f + accrual * L[n];
  return v;
}

// The value, and its derivative by each rate at the last step into Lb.
DEVICE float portfolio_adjoint(const float *L, float *Lb) {
  float B[maxMaturities], S[maxMaturities], Bb[maxMaturities], Sb[maxMaturities];
  float b = 1, s = 0;
#pragma unroll 1
  for (int n = opaque(steps); n < rates; n++) {
    b /= 1.0f + accrual * L[n];
    s += accrual * b;
    B[n - steps] = b;
    S[n - steps] = s;
    Bb[n - steps] = 0;
    Sb[n - steps] = 0;
  }
  float v = 0;
#pragma unroll 1
  for (int i = 0; i < options; i++) {
    int m = maturity[i] - 1;
    float swap = B[m] + swapRate[i] * S[m] - 1.0f;
    if (swap < 0) {
      v -= 100.0f * swap;
      Sb[m] -= 100.0f * swapRate[i];
      Bb[m] -= 100.0f;
    }
  }
  float bAdj = 0, sAdj = 0;
#pragma unroll 1
  for (int n = opaque(rates) - 1; n >= steps; n--) {
    sAdj += Sb[n - steps];
    bAdj += Bb[n - steps] + accrual * sAdj;
    float d = 1.0f + accrual * L[n];
    Lb[n] = -bAdj * B[n - steps] * accrual / d;
    bAdj /= d;
  }
  float discount = 1;
#pragma unroll 1
  for (int n = opaque(0); n < steps; n++) discount /= 1.0f + accrual * L[n];
  v *= discount;
#pragma unroll 1
  for (int n = opaque(0); n < steps; n++) Lb[n] = -v * accrual / (1.0f + accrual * L[n]);
#pragma unroll 1
  for (int n = opaque(steps); n < rates; n++) Lb[n] *= discount;
  return v;
}

// Takes the derivatives back from after step n to before it. With
// L' = L exp(con v + lam (root - con/2)), v the running sum of w = con L / (1 +
// accrual L): every L'[j] with j >= i depends on L[i] through v.
DEVICE void retreat(const float *saved, float *Lb, int n) {
  float tail = 0;
#pragma unroll 1
  for (int i = opaque(rates) - 1; i > n; i--) {
    float con = accrual * lambda[i - n - 1];
    float before = saved[n * maxRates + i];
    float after = saved[(n + 1) * maxRates + i];
    tail += con * after * Lb[i];
    float d = 1.0f + accrual * before;
    Lb[i] = Lb[i] * (after / before) + tail * con / (d * d);
  }
}

// A path per thread, with its arrays in local memory: the value of the
// portfolio, and its derivative by the last initial rate.
KERNEL Pathcalc_Portfolio_KernelGPU(const float *normals, float *value, float *delta, int paths, float start) {
  float L[maxRates], saved[maxRates * (maxMaturities + 1)], Lb[maxRates];
  int stride = ctas_x() * threads_x();
#pragma unroll 1
  for (int path = global_x(); path < paths; path += stride) {
#pragma unroll 1
    for (int i = 0, m = opaque(rates); i < m; i++) {
      L[i] = start;
      saved[i] = start;
    }
#pragma unroll 1
    for (int n = opaque(0); n < steps; n++) advance_saving(L, normals[n * paths + path], n, saved);
    value[path] = portfolio_adjoint(L, Lb);
#pragma unroll 1
    for (int n = opaque(steps) - 1; n >= 0; n--) retreat(saved, Lb, n);
    delta[path] = Lb[rates - 1];
  }
}

// The value alone.
KERNEL Pathcalc_Portfolio_KernelGPU2(const float *normals, float *value, int paths, float start) {
  float L[maxRates];
  int stride = ctas_x() * threads_x();
#pragma unroll 1
  for (int path = global_x(); path < paths; path += stride) {
#pragma unroll 1
    for (int i = 0, m = opaque(rates); i < m; i++) L[i] = start;
#pragma unroll 1
    for (int n = opaque(0); n < steps; n++) advance(L, normals[n * paths + path], n);
    value[path] = portfolio(L);
  }
}
