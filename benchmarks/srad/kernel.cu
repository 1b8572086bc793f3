#include "cuda.h"

enum { threads = 512 };

// Images are column-major with `rows` rows; a thread per pixel everywhere.

KERNEL extract(float *image, int n) {
  int i = global_x();
  if (i < n) image[i] = exp_approx(image[i] / 255.0f);
}

KERNEL prepare(const float *image, float *sums, float *squares, int n) {
  int i = global_x();
  if (i >= n) return;
  sums[i] = image[i];
  squares[i] = image[i] * image[i];
}

// Each CTA adds up to 512 elements of both arrays, `stride` apart, into the
// first of them, by a tree; the last CTA's odd rest is added one by one.
KERNEL reduce(float *sums, float *squares, int n, int stride) {
  SHARED float s[threads];
  SHARED float q[threads];
  int tx = tid_x();
  int i = global_x();
  int mine = min(threads, n - cta_x() * threads);  // elements of this CTA
  if (i < n) {
    s[tx] = sums[i * stride];
    q[tx] = squares[i * stride];
  }
  barrier();
  int first = cta_x() * threads * stride;
  if (mine == threads) {
#pragma unroll
    for (int k = 2; k <= threads; k *= 2) {
      if (tx % k == 0) {
        s[tx] += s[tx + k / 2];
        q[tx] += q[tx + k / 2];
      }
      barrier();
    }
  } else {
    int whole = 1;  // the largest power of two
    while (whole * 2 <= mine) whole *= 2;
#pragma unroll 1
    for (int k = 2; k <= whole; k *= 2) {
      if (tx % k == 0 && tx < whole) {
        s[tx] += s[tx + k / 2];
        q[tx] += q[tx + k / 2];
      }
      barrier();
    }
    if (tx == 0)
      for (int j = whole; j < mine; j++) {
        s[0] += s[j];
        q[0] += q[j];
      }
  }
  if (tx == 0) {
    sums[first] = s[0];
    squares[first] = q[0];
  }
}

// Derivatives towards the four neighbours, which are looked up in index arrays,
// and the diffusion coefficient that follows from them.
KERNEL srad(int rows, int n, const int *north, const int *south, const int *east, const int *west, float *dN, float *dS,
            float *dE, float *dW, float q0, float *coefficient, const float *image) {
  int i = global_x();
  if (i >= n) return;
  int row = i % rows, col = i / rows;
  float c = image[i];
  float n_ = image[north[row] + rows * col] - c;
  float s_ = image[south[row] + rows * col] - c;
  float w_ = image[row + rows * west[col]] - c;
  float e_ = image[row + rows * east[col]] - c;
  float g2 = (n_ * n_ + s_ * s_ + w_ * w_ + e_ * e_) / (c * c);
  float l = (n_ + s_ + w_ + e_) / c;
  float num = 0.5f * g2 - (1.0f / 16.0f) * (l * l);
  float den = 1.0f + 0.25f * l;
  float q = num / (den * den);
  den = (q - q0) / (q0 * (1.0f + q0));
  float k = 1.0f / (1.0f + den);
  if (k < 0)
    k = 0;
  else if (k > 1)
    k = 1;
  dN[i] = n_;
  dS[i] = s_;
  dE[i] = e_;
  dW[i] = w_;
  coefficient[i] = k;
}

// The image moves along the divergence.
KERNEL srad2(float lambda, int rows, int n, const int *south, const int *east, const float *dN, const float *dS,
             const float *dE, const float *dW, const float *coefficient, float *image) {
  int i = global_x();
  if (i >= n) return;
  int row = i % rows, col = i / rows;
  float here = coefficient[i];
  float below = coefficient[south[row] + rows * col];
  float right = coefficient[row + rows * east[col]];
  float d = here * dN[i] + below * dS[i] + here * dW[i] + right * dE[i];
  image[i] += 0.25f * lambda * d;
}

KERNEL compress(float *image, int n) {
  int i = global_x();
  if (i < n) image[i] = log_approx(image[i]) * 255.0f;
}
