#include "device.h"

DEVICE u32 ticket;

// The CTA that draws the last ticket adds up what all have left.
KERNEL lastblock(const u32 *in, volatile u64 *partial, u64 *out, int n) {
  SHARED u64 s[96];
  SHARED bool last;
  u64 sum = 0;
  for (int i = gidx; i < n; i += ntidx * nctax) sum += (u64)in[i] * in[i];
  s[tidx] = sum;
  __syncthreads();
  if (tidx == 0) {
    for (int k = 1; k < ntidx; k++) sum += s[k];
    partial[ctax] = sum;
    __nvvm_membar_gl();
    last = __nvvm_atom_inc_gen_ui(&ticket, nctax - 1) == (u32)nctax - 1;
  }
  __syncthreads();
  if (!last) return;
  s[tidx] = 0;
  for (int k = tidx; k < nctax; k += ntidx) s[tidx] += partial[k];
  __syncthreads();
  if (tidx == 0) {
    u64 all = 0;
    for (int k = 0; k < ntidx; k++) all += s[k];
    *out += all;
  }
}
