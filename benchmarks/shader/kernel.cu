#include "cuda.h"

// Pixel shaders, a thread per pixel and 8x16 pixels per CTA: stand-ins for the
// shaders of games. All write one colour per pixel.

enum { wide = 8, high = 16 };

struct Texel {
  float r, g, b, a;
};

// A lookup at normalised coordinates, as the texture filters and wraps.
DEVICE Texel lookup(u64 texture, float u, float v) {
  Texel t;
  asm("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];" : "=f"(t.r), "=f"(t.g), "=f"(t.b), "=f"(t.a) : "l"(texture), "f"(u), "f"(v));
  return t;
}

// The texel at integer coordinates.
DEVICE float fetch(u64 texture, int x, int y) {
  float r, g, b, a;
  asm("tex.2d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5, %6}];" : "=f"(r), "=f"(g), "=f"(b), "=f"(a) : "l"(texture), "r"(x), "r"(y));
  return r;
}

// What the rasteriser would interpolate: the pixel's place and its coordinates in
// the textures.
struct Fragment {
  int x, y;
  float u, v;
};

DEVICE Fragment fragment(float du, float dv) {
  int x = cta_x() * wide + tid_x(), y = cta_y() * high + tid_y();
  return {x, y, (x + 0.5f) * du, (y + 0.5f) * dv};
}

DEVICE void store(Texel *out, Fragment f, float r, float g, float b, float a) { out[f.y * ctas_x() * wide + f.x] = {r, g, b, a}; }

// Lambert's law on a surface whose normal leans with the texture coordinates.
KERNEL diffuse(u64 albedo, Texel *out, float du, float dv) {
  Fragment f = fragment(du, dv);
  Texel c = lookup(albedo, f.u, f.v);
  float nx = 0.5f * f.u - 0.25f, ny = 0.25f - 0.5f * f.v;
  float scale = rsqrt_approx(nx * nx + ny * ny + 1.0f);
  float light = 0.1f + 0.9f * fmax(0.0f, (0.48f * nx + 0.6f * ny + 0.64f) * scale);
  store(out, f, c.r * light, c.g * light, c.b * light, c.a);
}

// Normal mapping with a highlight.
KERNEL bump(u64 albedo, u64 normals, Texel *out, float du, float dv) {
  Fragment f = fragment(du, dv);
  Texel c = lookup(albedo, f.u, f.v), n = lookup(normals, 2 * f.u, 2 * f.v);
  float nx = n.r - 0.5f, ny = n.g - 0.5f, nz = 0.5f + 0.5f * n.b;
  float scale = rsqrt_approx(nx * nx + ny * ny + nz * nz);
  float light = fmax(0.0f, (0.48f * nx + 0.6f * ny + 0.64f * nz) * scale);
  float half = fmax(0.01f, (0.24f * nx + 0.3f * ny + 0.92f * nz) * scale);
  float gloss = 0.3f * exp2_approx(8.0f * log2_approx(half));
  store(out, f, c.r * light + gloss, c.g * light + gloss, c.b * light + gloss, c.a);
}

// Shadow mapping, closer of four texels by percentage.
KERNEL shadow(u64 albedo, u64 depth, Texel *out, float du, float dv, int mask) {
  Fragment f = fragment(du, dv);
  Texel c = lookup(albedo, f.u, f.v);
  float z = 0.3f + 0.2f * (f.u + f.v);
  int x = (f.x * 3) & mask, y = (f.y * 5) & mask;
  float lit = 0;
  if (fetch(depth, x, y) > z) lit += 0.25f;
  if (fetch(depth, (x + 1) & mask, y) > z) lit += 0.25f;
  if (fetch(depth, x, (y + 1) & mask) > z) lit += 0.25f;
  if (fetch(depth, (x + 1) & mask, (y + 1) & mask) > z) lit += 0.25f;
  lit = 0.2f + 0.8f * lit;
  store(out, f, c.r * lit, c.g * lit, c.b * lit, c.a);
}

// Bloom: nine taps of a scene, weighted, and a tone curve.
KERNEL bloom(u64 scene, Texel *out, float du, float dv) {
  Fragment f = fragment(du, dv);
  float r = 0, g = 0, b = 0;
#pragma unroll
  for (int k = 0; k < 9; k++) {
    float w = (2 - (k % 3 != 1)) * (2 - (k / 3 != 1)) / 16.0f;
    Texel t = lookup(scene, f.u + (k % 3 - 1) * du, f.v + (k / 3 - 1) * dv);
    r += w * t.r;
    g += w * t.g;
    b += w * t.b;
  }
  float y = 0.2126f * r + 0.7152f * g + 0.0722f * b;
  float scale = (1.0f - exp_approx(-2.0f * y)) / (y + 0.01f);
  store(out, f, r * scale, g * scale, b * scale, y);
}

// Foliage: an alpha test that most pixels of some warps fail, then two more layers.
KERNEL foliage(u64 albedo, u64 leaves, Texel *out, float du, float dv, float threshold) {
  Fragment f = fragment(du, dv);
  float cover = fetch(leaves, f.x & 63, f.y & 63);
  if (cover < threshold) {
    store(out, f, 0, 0, 0, 0);
    return;
  }
  Texel c = lookup(albedo, f.u, f.v), d = lookup(albedo, f.u * 4, f.v * 4);
  float t = (cover - threshold) * rsqrt_approx(cover);
  store(out, f, c.r + t * (d.r - c.r), c.g + t * (d.g - c.g), c.b + t * (d.b - c.b), cover);
}
