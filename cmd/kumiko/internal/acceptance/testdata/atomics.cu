#include "device.h"

DEVICE void fmulAtomic(float *p, float f) {
  int *a = (int *)p, old = *a, seen;
  do {
    seen = old;
    old = __nvvm_atom_cas_gen_i(a, seen, __nvvm_bitcast_f2i(__nvvm_bitcast_i2f(seen) * f));
  } while (old != seen);
}

// Every atomic operation in shared and global memory, with warps that collide
// on few addresses.
KERNEL atomics(const u32 *in, u32 *hist, int *ints, u64 *longs, float *floats, int n) {
  SHARED u32 local[16];
  SHARED float sum;
  SHARED int most;
  if (tidx < 16) local[tidx] = 0;
  if (tidx == 0) sum = 0, most = -1;
  __syncthreads();
  for (int i = gidx; i < n; i += ntidx * nctax) {
    u32 v = in[i];
    __nvvm_atom_add_gen_i((int *)&local[v & 15], 1);
    __nvvm_atom_add_gen_f(&sum, (float)(v & 7));
    __nvvm_atom_max_gen_i(&most, (int)(v >> 8));
    __nvvm_atom_min_gen_i(&ints[0], (int)v);
    __nvvm_atom_max_gen_ui((u32 *)&ints[1], v * 2654435761u);
    __nvvm_atom_and_gen_i(&ints[2], (int)(v | 0xffff0000u));
    __nvvm_atom_or_gen_i(&ints[3], (int)(1u << (v & 31)));
    __nvvm_atom_xor_gen_i(&ints[4], (int)v);
    __nvvm_atom_inc_gen_ui((u32 *)&ints[5], 99);
    __nvvm_atom_dec_gen_ui((u32 *)&ints[6], 99);
    __nvvm_atom_add_gen_ll((long long *)&longs[0], ((s64)v << 20) - 5);
    __nvvm_atom_max_gen_ull(&longs[1], (u64)v * v);
    __nvvm_atom_xor_gen_ll((long long *)&longs[2], (s64)v << 13);
    __nvvm_atom_add_gen_f(&floats[0], (float)(v & 3));
    if ((v & 1023) == 7) fmulAtomic(&floats[1], 0.5f);
  }
  __syncthreads();
  if (tidx < 16) __nvvm_atom_add_gen_i((int *)&hist[tidx], local[tidx]);
  if (tidx == 0) {
    __nvvm_atom_add_gen_f(&floats[2], sum);
    __nvvm_atom_max_gen_i(&ints[7], most);
  }
  if (tidx == 33) __nvvm_atom_xchg_gen_i(&ints[8], 4711);
}
