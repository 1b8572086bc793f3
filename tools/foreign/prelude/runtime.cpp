// Runs kernels that were written for a GPU, as the host's compiler translates them.
//
// The threads of a block are fibres of one thread of the operating system, and blocks
// run one after the other. A fibre runs until it meets others: at a barrier those of
// the block, at a vote or a shuffle the lanes of the mask. It knows nothing of the
// order in which a GPU, or Kumiko's emulator, runs warps; -r on the command line
// reverses its own, which a kernel without races does not notice.
//
// Jobs come on the standard input, and memory goes to the standard output; the format is
// that of job.go. Buffers lie at the addresses that they have on the device.
#include "runtime.h"
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <ucontext.h>

rt_Thread *rt_now;
unsigned rt_block[3], rt_grid[3], rt_cta[3], rt_came;

namespace {

enum { maxThreads = 1024, stackBytes = 256 << 10 };

struct Meeting {
  unsigned arrived; // lanes that wait
  unsigned want[32];
  rt_Op op[32];
  unsigned long long v[32];
  unsigned b[32], c[32], result[32];
};
struct Fibre : rt_Thread {
  ucontext_t context;
  Meeting *warp;
  int lane;
  bool done, waits;
};

Fibre fibres[maxThreads];
Meeting warps[maxThreads / 32];
char *stacks;
ucontext_t scheduler;
Fibre *now;
int nthreads, alive, arrived, yes, agreed;
bool reversed;
rt::Entry *entries;
rt::Symbol *symbols;
rt::Entry *entry;
const unsigned char *params;

[[noreturn]] void fail(const char *text, const char *what) {
  fprintf(stderr, "%s%s\n", text, what);
  exit(3);
}

void yield() {
  Fibre *me = now;
  swapcontext(&me->context, &scheduler);
  now = me;
  rt_now = me;
}

// Ends a barrier for whose last thread nobody has to wait.
void leave() {
  if (arrived == 0 || arrived < alive) return;
  agreed = yes;
  rt_came = arrived;
  arrived = yes = 0;
  for (int i = 0; i < nthreads; i++)
    if (!fibres[i].done && fibres[i].warp->want[fibres[i].lane] == 0) fibres[i].waits = false;
}

unsigned shuffled(const Meeting &m, int i) {
  int high = m.c[i] >> 8 & 31, clamp = m.c[i] & 31, b = m.b[i] & 31, j = 0;
  int most = (i & high) | (clamp & ~high), least = i & high;
  bool in = false;
  switch (m.op[i]) {
  case rt_up: j = i - b; in = j >= most; break;
  case rt_down: j = i + b; in = j <= most; break;
  case rt_bfly: j = i ^ b; in = j <= most; break;
  default: j = least | (b & ~high); in = j <= most;
  }
  return (unsigned)m.v[in ? j : i];
}

// The lanes of mask are those that have come.
unsigned result(const Meeting &m, unsigned mask, int i) {
  unsigned r = m.op[i] == rt_min ? 0x7fffffffu : 0, agree = 0;
  if (m.op[i] >= rt_idx && m.op[i] <= rt_bfly) return shuffled(m, i);
  for (int j = 0; j < 32; j++) {
    if (!(mask >> j & 1)) continue;
    unsigned v = (unsigned)m.v[j];
    switch (m.op[i]) {
    case rt_vote: r |= (unsigned)(v != 0) << j; break;
    case rt_every:
    case rt_same: agree |= (unsigned)(v != 0) << j; break;
    case rt_match: r |= (unsigned)(m.v[j] == m.v[i]) << j; break;
    case rt_add: r += v; break;
    case rt_min: r = (int)v < (int)r ? v : r; break;
    case rt_umax: r = v > r ? v : r; break;
    default: r ^= v;
    }
  }
  if (m.op[i] == rt_every) return agree == mask;
  if (m.op[i] == rt_same) return agree == mask || agree == 0;
  return r;
}

// Gives the lanes of a mask their results if all of them have come that have not ended.
void meet(Meeting &m, Fibre *first, unsigned mask, rt_Op op) {
  unsigned come = 0;
  for (int j = 0; j < 32; j++) {
    if (!(mask >> j & 1) || first[j].done) continue;
    // A lane of the mask may still wait with others, in what comes before.
    if (!(m.arrived >> j & 1) || m.want[j] != mask || m.op[j] != op) return;
    come |= 1u << j;
  }
  for (int j = 0; j < 32; j++)
    if (come >> j & 1) m.result[j] = result(m, come, j);
  m.arrived &= ~come;
  for (int j = 0; j < 32; j++)
    if (come >> j & 1) m.want[j] = 0, first[j].waits = false;
}

void start() {
  entry->run(params);
  now->done = true;
  alive--;
  leave();
  Meeting &m = *now->warp;
  for (int j = 0; j < 32; j++) // the lanes that waited for this one
    if (m.arrived >> j & 1 && m.want[j] >> now->lane & 1) meet(m, now - now->lane, m.want[j], m.op[j]);
  swapcontext(&now->context, &scheduler);
}

void block() {
  memset(warps, 0, sizeof warps);
  alive = nthreads;
  arrived = yes = 0;
  for (int i = 0; i < nthreads; i++) {
    Fibre &f = fibres[i];
    f.tid[0] = i % rt_block[0];
    f.tid[1] = i / rt_block[0] % rt_block[1];
    f.tid[2] = i / rt_block[0] / rt_block[1];
    f.warp = &warps[i / 32];
    f.lane = i % 32;
    f.done = f.waits = false;
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = stacks + (size_t)i * stackBytes;
    f.context.uc_stack.ss_size = stackBytes;
    f.context.uc_link = nullptr;
    makecontext(&f.context, start, 0);
  }
  while (alive > 0) {
    bool ran = false;
    for (int n = 0; n < nthreads; n++) {
      Fibre &f = fibres[reversed ? nthreads - 1 - n : n];
      if (f.done || f.waits) continue;
      ran = true;
      now = &f;
      rt_now = &f;
      swapcontext(&scheduler, &f.context);
    }
    if (!ran) fail("threads wait for each other in ", entry->name);
  }
}

void input(void *to, size_t n) {
  if (fread(to, 1, n, stdin) != n) fail("the input ends early", "");
}

uint64_t word() {
  uint64_t v;
  input(&v, sizeof v);
  return v;
}

char *text() {
  size_t n = word();
  char *s = (char *)malloc(n + 1);
  input(s, n);
  s[n] = 0;
  return s;
}

struct Region {
  unsigned char *at;
  uint64_t size;
};

void dims(unsigned *d) {
  for (int i = 0; i < 3; i++) d[i] = (unsigned)word();
}

// Job reads a launch, runs it, and writes what it left behind.
bool job() {
  uint64_t magic;
  if (fread(&magic, 1, sizeof magic, stdin) != sizeof magic) return false;
  char *name = text();
  for (entry = entries; entry && strcmp(entry->name, name); entry = entry->next) {}
  if (!entry) fail("no kernel is called ", name);
  dims(rt_grid);
  dims(rt_block);
  nthreads = rt_block[0] * rt_block[1] * rt_block[2];
  if (nthreads > maxThreads) fail("too many threads in ", name);
  uint64_t low = word(), high = word(); // whole pages around all buffers
  if (high > low && mmap((void *)low, high - low, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != (void *)low) fail("cannot map the buffers of ", name);
  size_t n = word();
  Region *list = (Region *)calloc(n, sizeof(Region));
  for (size_t i = 0; i < n; i++) {
    list[i].at = (unsigned char *)word();
    list[i].size = word();
    input(list[i].at, list[i].size);
  }
  size_t ns = word();
  rt::Symbol **used = (rt::Symbol **)calloc(ns, sizeof *used);
  for (size_t i = 0; i < ns; i++) {
    char *s = text();
    uint64_t size = word();
    for (used[i] = symbols; used[i] && strcmp(used[i]->name, s); used[i] = used[i]->next) {}
    if (!used[i] || used[i]->size != size) fail("no such variable: ", s);
    input(used[i]->at, size);
    free(s);
  }
  params = (unsigned char *)text();
  for (rt_cta[2] = 0; rt_cta[2] < rt_grid[2]; rt_cta[2]++)
    for (rt_cta[1] = 0; rt_cta[1] < rt_grid[1]; rt_cta[1]++)
      for (rt_cta[0] = 0; rt_cta[0] < rt_grid[0]; rt_cta[0]++) block();
  fwrite(&magic, 1, sizeof magic, stdout);
  for (size_t i = 0; i < n; i++) fwrite(list[i].at, 1, list[i].size, stdout);
  for (size_t i = 0; i < ns; i++) fwrite(used[i]->at, 1, used[i]->size, stdout);
  fflush(stdout);
  if (high > low) munmap((void *)low, high - low);
  free((void *)params);
  free(list);
  free(used);
  free(name);
  return true;
}

// Within its life the processor rounds as mode says (see runtime.h).
struct Rounding {
  Rounding(int mode) {
    const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    fesetround(modes[mode]);
  }
  ~Rounding() { fesetround(FE_TONEAREST); }
};

template <class F> F arith(rt_Arith op, int mode, volatile F a, volatile F b, volatile F c) {
  Rounding r(mode);
  volatile F d = 0;
  switch (op) {
  case rt_fadd: d = a + b; break;
  case rt_fmul: d = a * b; break;
  case rt_fdiv: d = a / b; break;
  case rt_ffma: d = std::fma(a, b, c); break;
  case rt_fsqrt: d = std::sqrt(a); break;
  }
  return d;
}

template <class F, class T> F converted(int mode, volatile T a) {
  Rounding r(mode);
  volatile F d = (F)a;
  return d;
}

} // namespace

unsigned rt_barrier(bool p) {
  now->waits = true;
  arrived++;
  yes += p;
  leave();
  if (now->waits) yield();
  return agreed;
}

void rt_wait() { yield(); }

unsigned rt_warp(rt_Op op, unsigned mask, unsigned long long v, unsigned b, unsigned c) {
  Meeting &m = *now->warp;
  int i = now->lane;
  if (!(mask >> i & 1)) fail("a lane is not of its own mask in ", entry->name);
  m.op[i] = op;
  m.v[i] = v;
  m.b[i] = b;
  m.c[i] = c;
  m.want[i] = mask;
  m.arrived |= 1u << i;
  now->waits = true;
  meet(m, now - i, mask, op);
  if (now->waits) yield();
  return m.result[i];
}

float rt_f32(rt_Arith op, int mode, float a, float b, float c) { return arith<float>(op, mode, a, b, c); }
double rt_f64(rt_Arith op, int mode, double a, double b, double c) { return arith<double>(op, mode, a, b, c); }
float rt_narrow(int mode, double a) { return converted<float>(mode, a); }
float rt_single(int mode, long long a) { return converted<float>(mode, a); }
float rt_single_u(int mode, unsigned long long a) { return converted<float>(mode, a); }
double rt_double(int mode, long long a) { return converted<double>(mode, a); }
double rt_double_u(int mode, unsigned long long a) { return converted<double>(mode, a); }

rt::Entry::Entry(const char *name, void (*run)(const unsigned char *)) : name(name), run(run), next(entries) {
  entries = this;
}
rt::Symbol::Symbol(const char *name, void *at, unsigned long size) : name(name), at(at), size(size), next(symbols) {
  symbols = this;
}

int main(int argc, char **argv) {
  reversed = argc > 1 && !strcmp(argv[1], "-r");
  stacks = (char *)mmap(nullptr, (size_t)maxThreads * stackBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stacks == MAP_FAILED) fail("no room for stacks", "");
  while (job()) {}
}
