#define C
#define D
#define NI
#include "body.h"
#include <cstdio>
int main() {
  Big b{};
  b.a = 5; b.b = 'x'; b.c[0] = 1.5; b.c[1] = 2.25; b.c[2] = -1; b.s = 9;
  for (int i = 0; i < 5; i++) b.v[i] = i * 0.5f;
  FILE *f = fopen("reference.bin", "wb");
  for (int i = 0; i < 128; i++) { u64 h = body(i, b, 13); fwrite(&h, 8, 1, f); }
  fclose(f);
}
