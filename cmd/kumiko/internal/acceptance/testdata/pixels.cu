#include "device.h"

struct alignas(4) Pixel { u8 r, g, b, a; };

// 8- and 16-bit data: sign extension, saturation, wrap-around, packed pixels.
KERNEL pixels(const Pixel *in, Pixel *out, const s8 *delta, short *energy, u16 *wrap, int n) {
  int i = gidx;
  if (i >= n) return;
  Pixel p = in[i];
  s8 d = delta[i];
  short e = (short)(p.r * 2 - p.g * d);
  energy[i] = e;
  wrap[i] = (u16)((u16)(p.b << 9) + (u16)e * (u16)e);
  int r = p.r + d, g = p.g - 2 * d;
  p.r = (u8)(r < 0 ? 0 : r > 255 ? 255 : r);
  p.g = (u8)(g < 0 ? 0 : g > 255 ? 255 : g);
  p.b = (u8)(p.b * 3 + (s8)(p.a >> 1));
  p.a = (u8)((s8)p.a / 3);
  out[i] = p;
}
