#include "cuda.h"

// Arrays in shared memory have a place for every thread of the CTA.
enum { threads = 128, maxNeighbours = 26 };

struct Box {
  int first;  // particle
  int neighbours;
  int neighbour[maxNeighbours];
};

struct Vec {
  double v, x, y, z;
};

// e^x for x from -700 to 700: 2^k e^r with |r| <= ln(2)/2, and twelve terms of the
// exponential series, whose remainder is below 1e-14.
DEVICE double exp(double x) {
  double k = __builtin_rint(x * 1.4426950408889634);
  double r = __builtin_fma(k, -6.93147180369123816490e-01, x);
  r = __builtin_fma(k, -1.90821492927058770002e-10, r);
  double p = 1.0 / 39916800;
  p = __builtin_fma(p, r, 1.0 / 3628800);
  p = __builtin_fma(p, r, 1.0 / 362880);
  p = __builtin_fma(p, r, 1.0 / 40320);
  p = __builtin_fma(p, r, 1.0 / 5040);
  p = __builtin_fma(p, r, 1.0 / 720);
  p = __builtin_fma(p, r, 1.0 / 120);
  p = __builtin_fma(p, r, 1.0 / 24);
  p = __builtin_fma(p, r, 1.0 / 6);
  p = __builtin_fma(p, r, 0.5);
  p = __builtin_fma(p, r, 1.0);
  p = __builtin_fma(p, r, 1.0);
  return __nvvm_lohi_i2d(__nvvm_d2i_lo(p), __nvvm_d2i_hi(p) + ((int)k << 20));
}

// Potential and force on the particles of a home box by those of the box itself
// and its neighbours, in double precision. A CTA owns a box; its threads stride
// over the home particles, at most a hundred, and the other box's are staged in
// shared memory.
KERNEL lavamd(const Box *boxes, const Vec *position, const double *charge, Vec *force, int particles, double a2) {
  SHARED Vec home[threads];
  SHARED Vec other[threads];
  SHARED double q[threads];
  const Box *box = &boxes[cta_x()];
  int tx = tid_x();
  int homeFirst = box->first;
  for (int i = tx; i < particles; i += threads) home[i] = position[homeFirst + i];
  barrier();

#pragma unroll 1
  for (int k = 0; k <= box->neighbours; k++) {
    int first = k == 0 ? homeFirst : boxes[box->neighbour[k - 1]].first;
    for (int i = tx; i < particles; i += threads) {
      other[i] = position[first + i];
      q[i] = charge[first + i];
    }
    barrier();
#pragma unroll 1
    for (int i = tx; i < particles; i += threads) {
      Vec r = home[i];
      Vec f = force[homeFirst + i];
#pragma unroll 1
      for (int j = 0; j < particles; j++) {
        Vec s = other[j];
        double r2 = r.v + s.v - (r.x * s.x + r.y * s.y + r.z * s.z);
        double vij = q[j] * exp(-a2 * r2);
        double fs = 2.0 * vij;
        f.v += vij;
        f.x += fs * (r.x - s.x);
        f.y += fs * (r.y - s.y);
        f.z += fs * (r.z - s.z);
      }
      force[homeFirst + i] = f;
    }
    barrier();
  }
}
