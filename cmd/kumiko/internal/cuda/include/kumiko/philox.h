// The function Philox4x32-10: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", SC
// 2011, section 3.3, with the constants of its table 2.
#pragma once
#include "vectors.h"

static __device__ inline uint4 __k_philox(uint4 c, uint2 key) {
  for (int round = 0; round < 10; round++, key.x += 0x9e3779b9, key.y += 0xbb67ae85) {
    unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
    c = {(unsigned)(b >> 32) ^ c.y ^ key.x, (unsigned)b, (unsigned)(a >> 32) ^ c.w ^ key.y, (unsigned)a};
  }
  return c;
}
