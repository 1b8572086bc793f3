#include "device.h"

DEVICE u64 powmod(u64 b, u64 e, u64 m) {
  u64 r = 1;
  b %= m;
  while (e) {
    if (e & 1) r = r * b % m;
    b = b * b % m;
    e >>= 1;
  }
  return r;
}

// 64-bit integers: division and remainder with and without sign, by constants
// and by data, shifts by data, high products, comparisons.
KERNEL wide(const u64 *a, const u64 *b, u64 *out, int n) {
  int i = gidx;
  if (i >= n) return;
  u64 x = a[i], y = b[i];
  s64 sx = (s64)x, sy = (s64)y;
  out[i] = x / y;
  out[n + i] = x % y;
  out[2 * n + i] = (u64)(sx / sy);
  out[3 * n + i] = (u64)(sx % sy);
  out[4 * n + i] = x / 1000000007u + (u64)(sx / -12345678901LL);
  out[5 * n + i] = (u64)(((unsigned __int128)x * y) >> 64);
  out[6 * n + i] = (u64)(((__int128)sx * sy) >> 64);
  out[7 * n + i] = (x << (y & 63)) ^ (x >> ((y >> 6) & 63)) ^ (u64)(sx >> ((y >> 12) & 63));
  out[8 * n + i] = (sx < sy ? 1 : 0) | (x < y ? 2 : 0) | (sx == sy ? 4 : 0) | (x >= (u64)sx + 1 ? 8 : 0);
  out[9 * n + i] = powmod(x & 0xffffffff, y & 0xffff, 4294967291u);
  out[10 * n + i] = __builtin_popcountll(x) + 100 * __builtin_clzll(y | 1) + 10000 * __builtin_ctzll(x | 1ull << 63);
  out[11 * n + i] = (u64)((u32)x / ((u32)y | 1)) << 32 | (u32)((int)x % ((int)y | 1));
}
