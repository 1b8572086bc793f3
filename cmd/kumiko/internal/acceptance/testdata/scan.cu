#include "device.h"

enum { N = 256 };

// Exclusive prefix sum of 2 * 128 elements per CTA (Blelloch), in place; the
// totals of the CTAs are scanned by a second launch and added by a third.
KERNEL scan(u32 *data, u32 *totals, int n) {
  SHARED u32 t[N];
  int base = ctax * N, a = base + 2 * tidx, b = a + 1;
  t[2 * tidx] = a < n ? data[a] : 0;
  t[2 * tidx + 1] = b < n ? data[b] : 0;
  int offset = 1;
  for (int d = N / 2; d > 0; d /= 2) {
    __syncthreads();
    if (tidx < d) t[offset * (2 * tidx + 2) - 1] += t[offset * (2 * tidx + 1) - 1];
    offset *= 2;
  }
  if (tidx == 0) {
    if (totals) totals[ctax] = t[N - 1];
    t[N - 1] = 0;
  }
  for (int d = 1; d < N; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (tidx < d) {
      int lo = offset * (2 * tidx + 1) - 1, hi = offset * (2 * tidx + 2) - 1;
      u32 x = t[lo];
      t[lo] = t[hi];
      t[hi] += x;
    }
  }
  __syncthreads();
  if (a < n) data[a] = t[2 * tidx];
  if (b < n) data[b] = t[2 * tidx + 1];
}

KERNEL add(u32 *data, const u32 *totals, int n) {
  int i = gidx;
  if (i < n) data[i] += totals[i / N];
}
