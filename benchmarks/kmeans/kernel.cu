#include "cuda.h"

// Turns points x features into features x points.
KERNEL invert_mapping(const float *in, float *out, int points, int features) {
  int p = global_x();
  if (p >= points) return;
  for (int f = 0; f < features; f++) out[f * points + p] = in[p * features + f];
}

// Finds the nearest centre of each point. The features of a warp's points lie
// together and are read again for every centre; a centre's are the same for all
// lanes.
KERNEL kmeansPoint(const float *features, const float *centres, int *membership, int points, int nfeatures, int ncentres) {
  int p = (cta_y() * ctas_x() + cta_x()) * threads_x() + tid_x();
  if (p >= points) return;
  int best = -1;
  float least = 3.402823466e+38f;
  for (int c = 0; c < ncentres; c++) {
    float sum = 0;
    for (int f = 0; f < nfeatures; f++) {
      float d = features[f * points + p] - centres[c * nfeatures + f];
      sum += d * d;
    }
    if (sum < least) {
      least = sum;
      best = c;
    }
  }
  membership[p] = best;
}

enum { maxCentres = 5, maxFeatures = 34 };

CONSTANT float centre[maxCentres * maxFeatures];

// As kmeansPoint, with the features in a one-dimensional texture and the centres
// in constant memory, as the suite has them.
KERNEL kmeansPointTex(u64 features, int *membership, int points, int nfeatures, int ncentres) {
  int p = (cta_y() * ctas_x() + cta_x()) * threads_x() + tid_x();
  if (p >= points) return;
  int best = -1;
  float least = 3.402823466e+38f;
  for (int c = 0; c < ncentres; c++) {
    float sum = 0;
    for (int f = 0; f < nfeatures; f++) {
      float x, y, z, w;
      asm("tex.1d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5}];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(features), "r"(f * points + p));
      float d = x - centre[c * nfeatures + f];
      sum += d * d;
    }
    if (sum < least) {
      least = sum;
      best = c;
    }
  }
  membership[p] = best;
}
