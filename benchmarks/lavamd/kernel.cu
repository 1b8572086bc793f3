#include "cuda.h"

enum { capacity = 100, threads = 128, maxNeighbours = 26 };

struct Box {
  int first;  // particle
  int neighbours;
  int neighbour[maxNeighbours];
};

struct Vec {
  float v, x, y, z;
};

// Potential and force on the particles of a home box by those of the box itself
// and its neighbours. A CTA owns a box; its threads stride over the home
// particles, at most a hundred, and the other box's are staged in shared memory.
KERNEL lavamd(const Box *boxes, const Vec *position, const float *charge, Vec *force, int particles, float a2) {
  SHARED Vec home[capacity];
  SHARED Vec other[capacity];
  SHARED float q[capacity];
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
      for (int j = 0; j < particles; j++) {
        Vec s = other[j];
        float r2 = r.v + s.v - (r.x * s.x + r.y * s.y + r.z * s.z);
        float vij = exp_approx(-a2 * r2);
        float fs = 2.0f * vij;
        float dx = r.x - s.x, dy = r.y - s.y, dz = r.z - s.z;
        f.v += q[j] * vij;
        f.x += q[j] * (fs * dx);
        f.y += q[j] * (fs * dy);
        f.z += q[j] * (fs * dz);
      }
      force[homeFirst + i] = f;
    }
    barrier();
  }
}
