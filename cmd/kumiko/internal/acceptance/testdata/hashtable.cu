#include "device.h"

DEVICE u32 slotOf(u32 key, u32 mask) { return (key * 2654435761u >> 7) & mask; }

// Open addressing with compare-and-swap: count keys, then look them up. Which
// slot a key gets depends on who comes first, what is found does not.
KERNEL insert(const u32 *keys, u32 *slots, u32 *counts, u32 mask, int n) {
  int i = gidx;
  if (i >= n) return;
  u32 key = keys[i], s = slotOf(key, mask);
  for (;;) {
    u32 old = __nvvm_atom_cas_gen_i((int *)&slots[s], 0, key);
    if (old == 0 || old == key) break;
    s = (s + 1) & mask;
  }
  __nvvm_atom_add_gen_i((int *)&counts[s], 1);
}

KERNEL find(const u32 *keys, const u32 *slots, const u32 *counts, u32 mask, u32 *out, int n) {
  int i = gidx;
  if (i >= n) return;
  u32 s = slotOf(keys[i], mask), c = 0;
  while (slots[s] != 0) {
    if (slots[s] == keys[i]) {
      c = counts[s];
      break;
    }
    s = (s + 1) & mask;
  }
  out[i] = c;
}
