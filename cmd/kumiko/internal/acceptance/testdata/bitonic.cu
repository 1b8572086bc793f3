#include "device.h"

struct Pair { u32 key, value; };

// Bitonic sort of 512 pairs per CTA of 256 threads, even CTAs ascending.
KERNEL bitonic(Pair *data) {
  SHARED Pair s[512];
  Pair *mine = data + ctax * 512;
  s[tidx] = mine[tidx];
  s[tidx + 256] = mine[tidx + 256];
  bool down = ctax & 1;
  for (u32 k = 2; k <= 512; k *= 2)
    for (u32 j = k / 2; j > 0; j /= 2) {
      __syncthreads();
      u32 lo = 2 * (tidx & ~(j - 1)) | (tidx & (j - 1)), hi = lo | j;
      bool up = ((lo & k) == 0) != down;
      Pair a = s[lo], b = s[hi];
      bool less = b.key < a.key || (b.key == a.key && b.value < a.value);
      if (less == up) s[lo] = b, s[hi] = a;
    }
  __syncthreads();
  mine[tidx] = s[tidx];
  mine[tidx + 256] = s[tidx + 256];
}
