#include "device.h"

// CTA i waits for the flag of CTA i+1, which is started later, and adds to what
// it left. Inside a CTA a lock is taken by one thread of each warp at a time.
KERNEL chain(volatile u32 *value, volatile u32 *flag, u32 *locked, u32 *lock) {
  if (tidx == 0) {
    u32 v = 1;
    if (ctax + 1 < nctax) {
      while (flag[ctax + 1] == 0) {}
      __nvvm_membar_gl();
      v = value[ctax + 1] * 3 + ctax;
    }
    value[ctax] = v;
    __nvvm_membar_gl();
    flag[ctax] = 1;
  }
  if ((tidx & 31) == 5) {
    while (__nvvm_atom_cas_gen_i((int *)lock, 0, 1) != 0) {}
    volatile u32 *p = locked;
    *p = *p * 5 + 1;
    __nvvm_membar_gl();
    __nvvm_atom_xchg_gen_i((int *)lock, 0);
  }
}
