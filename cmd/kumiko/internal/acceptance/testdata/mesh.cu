#include "device.h"

// Control flow that does not nest: jumps into and out of loops, a loop with two
// exits and two continues, pointers into shared or global memory by choice.
KERNEL mesh(const int *in, int *out, int *scratch, int n) {
  SHARED int s[64];
  int i = gidx, v = in[i], a = 0, k = 0;
  s[tidx] = v;
  scratch[i] = v * 2;
  __syncthreads();
  int *p = v & 1 ? &s[tidx ^ 1] : &scratch[i ^ 1];
  if (v % 3 == 0) goto middle;
top:
  a += *p;
  if (++k > 20) goto done;
  if (a % 7 == 3) goto tail;
middle:
  a = (a & 0xffff) * 3 + k;
  if ((a & 5) == 5) {
    a -= v;
    k++;
    if (a > 100000) goto done;
    goto middle2;
  }
tail:
  a ^= v + k;
middle2:
  k++;
  if (k < (v & 15)) goto top;
  for (int r = 0; r < 10; r++) {
    if ((a >> r & 1) == 0) continue;
    for (int q = 0; q < r; q++) {
      if ((a ^ q) % 11 == 0) goto done;
      if (q % 3 == (v & 3)) continue;
      a += q;
    }
    if (r == v % 10) break;
    a += r;
  }
done:
  out[i] = a;
  out[n + i] = k;
}
