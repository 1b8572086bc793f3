#include "cuda.h"

enum { maxCircles = 7, maxPoints = 150, strel = 12, cellThreads = 320, maxCell = 41 * 81 };

CONSTANT float sine[maxPoints];
CONSTANT float cosine[maxPoints];
CONSTANT int offsetX[maxCircles * maxPoints];  // of the points of each circle
CONSTANT int offsetY[maxCircles * maxPoints];
CONSTANT u8 element[strel * strel];  // structuring element of the dilation

// How well the image's gradient points along the radii of a circle around a
// pixel: squared mean over variance, the best of several circles. A thread per
// pixel; pixels near the edge, whose circles would leave the image, score zero.
KERNEL GICOV(const float *gradX, const float *gradY, float *score, int w, int h, int margin, int circles, int points) {
  int i = global_x();
  if (i >= w * h) return;
  int x = i % w, y = i / w;
  float best = 0;
  if (x >= margin && x < w - margin && y >= margin && y < h - margin) {
#pragma unroll 1
    for (int k = 0; k < circles; k++) {
      float sum = 0, square = 0;
#pragma unroll 2
      for (int p = 0; p < points; p++) {
        int at = (y + offsetY[k * maxPoints + p]) * w + x + offsetX[k * maxPoints + p];
        float g = gradX[at] * cosine[p] + gradY[at] * sine[p];
        sum += g;
        square += g * g;
      }
      float mean = sum / (float)points;
      float variance = (square - sum * mean) / (float)(points - 1);
      float s = mean * mean / variance;
      if (s > best) best = s;
    }
  }
  score[i] = best;
}

// The largest score under a disc of 12x12 pixels, cut off at the image's edge,
// for the first n pixels.
KERNEL dilate(const float *score, float *dilated, int w, int h, int n) {
  int i = global_x();
  if (i >= n) return;
  int x = i % w, y = i / w;
  float best = 0;
#pragma unroll 1
  for (int dy = 0; dy < strel; dy++) {
    int at = y + dy - strel / 2;
    if (at < 0 || at >= h) continue;
#pragma unroll 1
    for (int dx = 0; dx < strel; dx++) {
      int col = x + dx - strel / 2;
      if (col < 0 || col >= w || !element[dy * strel + dx]) continue;
      best = fmax(best, score[at * w + col]);
    }
  }
  dilated[i] = best;
}

// A smooth step from 0 to 1: 1/2 + atan(10 x)/pi, by Abramowitz and Stegun
// 4.4.49, good to 1e-5.
DEVICE float heaviside(float x) {
  float z = 10.0f * x, size = fabs(z);
  float t = size > 1.0f ? 1.0f / size : size;
  float u = t * t;
  float a = t * (0.9998660f + u * (-0.3302995f + u * (0.1801410f + u * (-0.0851330f + u * 0.0208351f))));
  if (size > 1.0f) a = 1.57079632679f - a;
  return 0.5f + (z < 0 ? -a : a) * 0.318309886f;
}

// Motion gradient vector flow of one cell's image per CTA, which stays in shared
// memory through all iterations: each pixel moves towards those of its eight
// neighbours that are larger, and towards the image. 320 threads take the pixels
// in turns; a turn's results are kept back until the next turn has read the old
// values. The iteration ends when the mean change is below the cut-off.
KERNEL IMGVF(const float *image, float *result, int *done, int m, int n, int iterations, float cutoff) {
  SHARED float v[maxCell];
  SHARED float buffer[cellThreads];
  SHARED bool converged;
  const float mu = 0.5f, lambda = 8.0f * mu + 1.0f;
  int t = tid_x(), size = m * n;
  image += cta_x() * size;
  result += cta_x() * size;
  for (int i = t; i < size; i += cellThreads) v[i] = image[i];
  if (t == 0) converged = false;
  barrier();

  int turns = (size + cellThreads - 1) / cellThreads;
  int round = 0;
#pragma unroll 1
  for (; round < iterations && !converged; round++) {
    float change = 0;
#pragma unroll 1
    for (int turn = 0; turn < turns; turn++) {
      int i = turn * cellThreads + t;
      float now = 0;
      if (i < size) {
        int row = i / n, col = i % n;
        int up = row == 0 ? i : i - n, down = row == m - 1 ? i : i + n;
        int left = col == 0 ? 0 : -1, right = col == n - 1 ? 0 : 1;
        float old = v[i], pull = 0;
        float d;
#define TOWARDS(j) \
        d = v[j] - old; \
        pull += heaviside(d) * d;
        TOWARDS(up + left)
        TOWARDS(up)
        TOWARDS(up + right)
        TOWARDS(i + left)
        TOWARDS(i + right)
        TOWARDS(down + left)
        TOWARDS(down)
        TOWARDS(down + right)
        now = old + mu / lambda * pull;
        float pixel = image[i];
        now -= 1.0f / lambda * pixel * (now - pixel);
        change += fabs(now - old);
      }
      barrier();
      if (turn > 0) v[i - cellThreads] = buffer[t];
      buffer[t] = now;
      barrier();
    }
    int last = (turns - 1) * cellThreads + t;
    if (last < size) v[last] = buffer[t];
    buffer[t] = change;
    barrier();
    if (t >= 256) buffer[t - 256] += buffer[t];
    barrier();
#pragma unroll 1
    for (int half = 128; half > 0; half /= 2) {
      if (t < half) buffer[t] += buffer[t + half];
      barrier();
    }
    if (t == 0 && buffer[0] / (float)size < cutoff) converged = true;
    barrier();
  }
  for (int i = t; i < size; i += cellThreads) result[i] = v[i];
  if (t == 0) done[cta_x()] = round;
}
