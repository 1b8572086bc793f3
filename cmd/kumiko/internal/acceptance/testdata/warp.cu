#include "device.h"

enum { FULL = -1 };

// Shuffles, votes and ballots; CTAs of 508 threads, so the last warp has 28
// lanes. A lane that takes no part keeps its value.
KERNEL warp(const int *in, int *out, int n) {
  int i = gidx, lane = tidx & 31;
  u32 members = __nvvm_vote_ballot_sync(__nvvm_activemask(), 1);
  int v = in[i];
  int sum = v;
  for (int d = 16; d; d >>= 1) {
    int o = __nvvm_shfl_sync_down_i32(members, sum, d, 31);
    if (lane + d < __builtin_popcount(members)) sum += o;
  }
  out[i] = __nvvm_shfl_sync_idx_i32(members, sum, 0, 31);
  int scan = v;
  for (int d = 1; d < 32; d *= 2) {
    int o = __nvvm_shfl_sync_up_i32(members, scan, d, 0);
    if (lane >= d) scan += o;
  }
  out[n + i] = scan;
  // Butterfly in groups of four: 28 is a multiple of it.
  int most = v;
  for (int d = 1; d < 4; d *= 2) {
    int o = __nvvm_shfl_sync_bfly_i32(members, most, d, 0x1c1f);
    most = most > o ? most : o;
  }
  out[2 * n + i] = most;
  u32 odd = __nvvm_vote_ballot_sync(members, v & 1);
  out[3 * n + i] = __builtin_popcount(odd & ((1u << lane) - 1));
  int flags = __nvvm_vote_all_sync(members, v > 3) | __nvvm_vote_any_sync(members, v > 995) << 1;
  if (v & 1) // those that diverged vote among themselves
    flags |= __nvvm_vote_all_sync(odd, v % 4 == 1) << 2 | __builtin_popcount(__nvvm_activemask()) << 8;
  out[4 * n + i] = flags;
}
