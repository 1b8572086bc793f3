#include "device.h"

struct Op { u8 code; u8 dst; short imm; };
struct Machine { int reg[4]; u32 executed; };
struct Config { int bias; s64 scale; u8 fuse; float unused; };

NOINLINE int mix(int a, int b, int c) { return (a ^ (b << 3)) + (c >> 1) * 7; }

NOINLINE Machine step(Machine m, Op o, int lane) {
  int &d = m.reg[o.dst & 3];
  switch (o.code) {
  case 0: d = o.imm; break;
  case 1: d += m.reg[(o.dst + 1) & 3]; break;
  case 2: d -= o.imm; break;
  case 3: d *= 3; break;
  case 4: d = mix(d, m.reg[0], o.imm); break;
  case 5: d = lane; break;
  case 6: d = d >> 2; break;
  case 7: d = ~d; break;
  case 8: if (d & 1) d = d * 5 + 1; else d /= 3; break;
  case 9: d %= 17; break;
  case 10: d = m.reg[2] < m.reg[3] ? m.reg[2] : m.reg[3]; break;
  default: d ^= 0x55; break;
  }
  m.executed++;
  return m;
}

// A byte-code interpreter: calls that are not inlined, structures by value in
// parameters, arguments and results, a jump table, divergence on every opcode.
KERNEL interpret(const Op *code, const int *length, int *out, Config c, int stride) {
  int i = gidx;
  Machine m = {{i, c.bias, 7, -i}, 0};
  const Op *p = code + i * stride;
  for (int pc = 0; pc < length[i]; pc++) {
    m = step(m, p[pc], tidx & 31);
    if (c.fuse && m.executed >= c.fuse) break;
  }
  s64 r = 0;
  for (int k = 0; k < 4; k++) r = r * c.scale + m.reg[k];
  out[2 * i] = (int)(r ^ (r >> 32));
  out[2 * i + 1] = m.executed;
}
