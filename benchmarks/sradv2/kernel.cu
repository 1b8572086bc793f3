#include "cuda.h"

enum { tile = 16 };

// Derivatives and diffusion coefficient of a 16x16 tile. The tile and the four
// strips around it are staged in shared memory, each in an array of its own; the
// image ends with its edge replicated.
KERNEL srad_cuda_1(float *dE, float *dW, float *dN, float *dS, const float *image, float *coefficient, int cols, int rows, float q0) {
  SHARED float here[tile][tile];
  SHARED float north[tile][tile];
  SHARED float south[tile][tile];
  SHARED float east[tile][tile];
  SHARED float west[tile][tile];
  SHARED float result[tile][tile];
  int bx = cta_x(), by = cta_y(), tx = tid_x(), ty = tid_y();
  int x0 = bx * tile, y0 = by * tile;
  int i = cols * (y0 + ty) + x0 + tx;

  north[ty][tx] = image[cols * max(y0 - 1, 0) + x0 + tx];
  south[ty][tx] = image[cols * min(y0 + tile, rows - 1) + x0 + tx];
  west[ty][tx] = image[cols * (y0 + ty) + max(x0 - 1, 0)];
  east[ty][tx] = image[cols * (y0 + ty) + min(x0 + tile, cols - 1)];
  barrier();
  here[ty][tx] = image[i];
  barrier();

  float c = here[ty][tx];
  float n_ = (ty == 0 ? north[ty][tx] : here[ty - 1][tx]) - c;
  float s_ = (ty == tile - 1 ? south[ty][tx] : here[ty + 1][tx]) - c;
  float w_ = (tx == 0 ? west[ty][tx] : here[ty][tx - 1]) - c;
  float e_ = (tx == tile - 1 ? east[ty][tx] : here[ty][tx + 1]) - c;
  float g2 = (n_ * n_ + s_ * s_ + w_ * w_ + e_ * e_) / (c * c);
  float l = (n_ + s_ + w_ + e_) / c;
  float num = 0.5f * g2 - (1.0f / 16.0f) * (l * l);
  float den = 1.0f + 0.25f * l;
  float q = num / (den * den);
  den = (q - q0) / (q0 * (1.0f + q0));
  float k = 1.0f / (1.0f + den);
  if (k < 0)
    result[ty][tx] = 0;
  else if (k > 1)
    result[ty][tx] = 1;
  else
    result[ty][tx] = k;
  barrier();
  coefficient[i] = result[ty][tx];
  dE[i] = e_;
  dW[i] = w_;
  dS[i] = s_;
  dN[i] = n_;
}

// Moves the image along the divergence; coefficients of the tile and of the
// strips below and to the right are staged.
KERNEL srad_cuda_2(const float *dE, const float *dW, const float *dN, const float *dS, float *image, const float *coefficient,
                   int cols, int rows, float lambda) {
  SHARED float south[tile][tile];
  SHARED float east[tile][tile];
  SHARED float here[tile][tile];
  SHARED float value[tile][tile];
  SHARED float result[tile][tile];
  int bx = cta_x(), by = cta_y(), tx = tid_x(), ty = tid_y();
  int x0 = bx * tile, y0 = by * tile;
  int i = cols * (y0 + ty) + x0 + tx;

  value[ty][tx] = image[i];
  barrier();
  south[ty][tx] = coefficient[cols * min(y0 + tile, rows - 1) + x0 + tx];
  barrier();
  east[ty][tx] = coefficient[cols * (y0 + ty) + min(x0 + tile, cols - 1)];
  barrier();
  here[ty][tx] = coefficient[i];
  barrier();
  float c = here[ty][tx];
  float below = ty == tile - 1 ? south[ty][tx] : here[ty + 1][tx];
  float right = tx == tile - 1 ? east[ty][tx] : here[ty][tx + 1];
  float d = c * dN[i] + below * dS[i] + c * dW[i] + right * dE[i];
  result[ty][tx] = value[ty][tx] + 0.25f * lambda * d;
  barrier();
  image[i] = result[ty][tx];
}
