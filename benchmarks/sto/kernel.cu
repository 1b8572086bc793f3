#include "cuda.h"

// The published kernel takes all of a 16-KB scratchpad but 128 bytes.
enum { threads = 128, stageWords = 16256 / 4, slice = stageWords / threads };

DEVICE u32 rotate(u32 x, int n) { return x << n | x >> (32 - n); }

// SHA-1 (FIPS 180-4) of overlapping windows of a buffer: thread i hashes `chunk`
// bytes from byte i * offset on. A thread stages each block of 64 bytes, padded,
// in its slice of shared memory; the slices are an odd number of words apart, so
// that the lanes' words lie in different banks.
KERNEL sha1_overlap(const u8 *data, int chunk, int offset, int windows, u32 *digest) {
  SHARED u32 stage[stageWords];
  int i = global_x();
  if (i >= windows) return;
  u32 *block = stage + tid_x() * slice;
  const u8 *window = data + i * offset;
  u32 h0 = 0x67452301, h1 = 0xEFCDAB89, h2 = 0x98BADCFE, h3 = 0x10325476, h4 = 0xC3D2E1F0;

  int blocks = (chunk + 8) / 64 + 1;  // the padding is a bit and a 64-bit length
#pragma unroll 1
  for (int b = 0; b < blocks; b++) {
#pragma unroll 1
    for (int w = 0; w < 16; w++) {
      u32 word = 0;
#pragma unroll
      for (int k = 0; k < 4; k++) {
        int at = b * 64 + w * 4 + k;
        u32 byte = at < chunk ? window[at] : at == chunk ? 0x80 : 0;
        word = word << 8 | byte;
      }
      block[w] = word;
    }
    if (b == blocks - 1) block[15] = 8 * chunk;

    u32 m[16];
#pragma unroll
    for (int t = 0; t < 16; t++) m[t] = block[t];
    u32 a = h0, bb = h1, c = h2, d = h3, e = h4;
#pragma unroll
    for (int t = 0; t < 80; t++) {
      u32 w = m[t % 16];
      if (t >= 16) {
        w = rotate(m[(t + 13) % 16] ^ m[(t + 8) % 16] ^ m[(t + 2) % 16] ^ w, 1);
        m[t % 16] = w;
      }
      u32 f, k;
      if (t < 20) {
        f = d ^ (bb & (c ^ d));
        k = 0x5A827999;
      } else if (t < 40) {
        f = bb ^ c ^ d;
        k = 0x6ED9EBA1;
      } else if (t < 60) {
        f = (bb & c) | (d & (bb | c));
        k = 0x8F1BBCDC;
      } else {
        f = bb ^ c ^ d;
        k = 0xCA62C1D6;
      }
      u32 next = rotate(a, 5) + f + e + k + w;
      e = d;
      d = c;
      c = rotate(bb, 30);
      bb = a;
      a = next;
    }
    h0 += a;
    h1 += bb;
    h2 += c;
    h3 += d;
    h4 += e;
  }
  u32 *out = digest + 5 * i;
  out[0] = h0;
  out[1] = h1;
  out[2] = h2;
  out[3] = h3;
  out[4] = h4;
}
