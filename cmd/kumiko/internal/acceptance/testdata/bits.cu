#include "device.h"

// Bit operations: counts, reversal, fields, funnel shifts, byte permutation.
KERNEL bits(const u32 *a, const u32 *b, u32 *out, int n) {
  int i = gidx;
  if (i >= n) return;
  u32 x = a[i], y = b[i], t;
  out[i] = __builtin_popcount(x) | __builtin_clz(x | 1) << 8 | __builtin_ctz(y | 0x80000000u) << 16;
  out[n + i] = __builtin_bitreverse32(x) ^ __builtin_bswap32(y);
  out[2 * n + i] = __nvvm_prmt(x, y, y >> 16);
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(t) : "r"(x), "r"(y & 31), "r"(y >> 5 & 31));
  u32 f = t;
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(t) : "r"(x), "r"(y & 31), "r"(y >> 5 & 31));
  out[3 * n + i] = f + 3 * t;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(t) : "r"(x), "r"(y), "r"(y & 31), "r"(y >> 5 & 15));
  out[4 * n + i] = t;
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(t) : "r"(x), "r"(y), "r"(y));
  f = t;
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(t) : "r"(x), "r"(y), "r"(y & 63));
  out[5 * n + i] = f ^ (t << 1);
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(t) : "r"(x), "r"(y), "r"(x >> 7));
  out[6 * n + i] = t;
  out[7 * n + i] = (x << (y & 31) | x >> (-y & 31)) + (u32)((u64)x * y >> 32);
}
