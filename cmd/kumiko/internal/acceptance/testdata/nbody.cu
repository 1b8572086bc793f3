#include "device.h"

typedef float float4 __attribute__((ext_vector_type(4)));

// One step of all-pairs gravitation, bodies staged tile by tile.
KERNEL nbody(const float4 *pos, float4 *acc, int n, float soften) {
  SHARED float4 tile[64];
  int i = gidx;
  float4 me = pos[i < n ? i : 0];
  float ax = 0, ay = 0, az = 0;
  for (int base = 0; base < n; base += 64) {
    if (base + tidx < n) tile[tidx] = pos[base + tidx];
    __syncthreads();
    int m = n - base < 64 ? n - base : 64;
    for (int k = 0; k < m; k++) {
      float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      float r2 = dx * dx + dy * dy + dz * dz + soften;
      float inv = 1 / __nvvm_sqrt_rn_f(r2);
      float f = tile[k].w * inv * inv * inv;
      ax += f * dx, ay += f * dy, az += f * dz;
    }
    __syncthreads();
  }
  if (i < n) acc[i] = (float4){ax, ay, az, 0};
}
