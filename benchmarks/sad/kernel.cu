#include "cuda.h"

enum {
  reach = 16,                          // pixels in each direction
  side = 2 * reach + 1,                // search positions in a row
  positions = side * side,             // 1089
  threads = 61,
  perThread = 18,                      // 61 x 18 = 1098
  padded = 1096,                       // positions, with room at the end of a block's line
  maxBlocks = 4,                       // 4x4 blocks side by side in a CTA
  window = 4 * maxBlocks + 2 * reach,  // pixels across the staged reference
  windowRows = 4 + 2 * reach,
};

// Sums of absolute differences of 4x4 blocks against a reference frame, for all
// 33x33 displacements. A CTA of 61 threads stages the window around `blocks`
// blocks, the frame's edge replicated; a thread keeps eighteen neighbouring
// displacements in registers.
KERNEL mb_sad_calc(const u8 *current, const u8 *reference, u16 *sad4, int w, int h, int blocks) {
  SHARED u8 ref[windowRows * window];
  SHARED u8 cur[16 * maxBlocks];
  int t = tid_x();
  int x0 = cta_x() * blocks * 4, y0 = cta_y() * 4;
#pragma unroll 1
  for (int i = t; i < windowRows * window; i += threads) {
    int y = min(max(y0 - reach + i / window, 0), h - 1);
    int x = min(max(x0 - reach + i % window, 0), w - 1);
    ref[i] = reference[y * w + x];
  }
#pragma unroll 1
  for (int i = t; i < 16 * blocks; i += threads) {
    int b = i / 16, p = i % 16;
    cur[i] = current[(y0 + p / 4) * w + x0 + 4 * b + p % 4];
  }
  barrier();

  int first = t * perThread;
  int wrap = side - first % side;  // from this displacement on they are of the next row
  const u8 *corner = ref + first / side * window + first % side;
#pragma unroll 1
  for (int b = 0; b < blocks; b++) {
    int sum[perThread];
#pragma unroll
    for (int j = 0; j < perThread; j++) sum[j] = 0;
#pragma unroll 1
    for (int p = 0; p < 16; p++) {
      int pixel = cur[16 * b + p];
      const u8 *at = corner + p / 4 * window + p % 4 + 4 * b;
#pragma unroll
      for (int j = 0; j < perThread; j++) {
        int d = pixel - at[j >= wrap ? j + window - side : j];
        sum[j] += d < 0 ? -d : d;
      }
    }
    u16 *out = sad4 + ((y0 / 4) * (w / 4) + x0 / 4 + b) * padded + first;
#pragma unroll
    for (int j = 0; j < perThread; j++)
      if (first + j < positions) out[j] = sum[j];
  }
}

// Adds the four blocks under each block of twice the side; two displacements of
// 16 bits are in a word, and no sum exceeds 16 bits. CTAs of 32x4 threads own a
// block per row of threads.
KERNEL larger_sad_calc_8(const u32 *sad4, u32 *sad8, int across, int blocks) {
  const int words = padded / 2;
  int b = cta_x() * threads_y() + tid_y();
  if (b >= blocks) return;
  const u32 *from = sad4 + (2 * (b / across) * 2 * across + 2 * (b % across)) * words;
#pragma unroll 1
  for (int i = tid_x(); i < words; i += threads_x())
    sad8[b * words + i] = from[i] + from[words + i] + from[2 * across * words + i] + from[(2 * across + 1) * words + i];
}

// Likewise from 8x8 to 16x16, a warp per block.
KERNEL larger_sad_calc_16(const u32 *sad8, u32 *sad16, int across) {
  const int words = padded / 2;
  int b = cta_x();
  const u32 *from = sad8 + (2 * (b / across) * 2 * across + 2 * (b % across)) * words;
#pragma unroll 1
  for (int i = tid_x(); i < words; i += threads_x())
    sad16[b * words + i] = from[i] + from[words + i] + from[2 * across * words + i] + from[(2 * across + 1) * words + i];
}
