#include "cuda.h"

enum { samplesPerLaunch = 1024 };

struct Sample {
  float x, y, z, magnitude;
};

CONSTANT Sample samples[samplesPerLaunch];

KERNEL ComputePhiMag(const float *re, const float *im, float *magnitude, int n) {
  int i = global_x();
  if (i < n) magnitude[i] = re[i] * re[i] + im[i] * im[i];
}

// Adds the contribution of up to 1024 samples, which are in constant memory, to
// each voxel's Q. The number of samples is even.
KERNEL ComputeQ(int n, const float *x, const float *y, const float *z, float *qr, float *qi) {
  const float twoPi = 6.2831853071795864769f;
  int i = global_x();
  float vx = x[i], vy = y[i], vz = z[i];
  float r = qr[i], s = qi[i];
#pragma unroll 1
  for (int k = 0; k < n; k += 2) {
    float a = twoPi * (samples[k].x * vx + samples[k].y * vy + samples[k].z * vz);
    r += samples[k].magnitude * cos_approx(a);
    s += samples[k].magnitude * sin_approx(a);
    float b = twoPi * (samples[k + 1].x * vx + samples[k + 1].y * vy + samples[k + 1].z * vz);
    r += samples[k + 1].magnitude * cos_approx(b);
    s += samples[k + 1].magnitude * sin_approx(b);
  }
  qr[i] = r;
  qi[i] = s;
}
