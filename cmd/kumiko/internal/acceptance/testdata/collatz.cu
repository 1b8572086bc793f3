#include "device.h"

// Steps of the Collatz sequence and its highest value: trip counts depend on
// data, threads past the end return early, some give up in the middle.
KERNEL collatz(const u32 *start, u32 *steps, u64 *peak, int n, u32 limit) {
  int i = (ctay * nctax + ctax) * ntidx + tidx;
  if (i >= n) return;
  u64 x = start[i], top = x;
  u32 s = 0;
  while (x > 1) {
    if (x & 1) {
      x = 3 * x + 1;
      if (x > top) top = x;
    } else {
      do x >>= 1, s++;
      while (!(x & 1));
      continue;
    }
    s++;
    if (s > limit) {
      steps[i] = ~0u;
      return;
    }
  }
  steps[i] = s;
  peak[i] = top;
}
