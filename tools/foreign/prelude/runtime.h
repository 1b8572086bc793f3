// The host's runtime for kernels that were written for a GPU: runtime.cpp.
#pragma once

struct rt_Thread {
  unsigned tid[3];
};
extern rt_Thread *rt_now; // the thread that runs
extern unsigned rt_block[3], rt_grid[3], rt_cta[3];

// Waits for the block's threads that have not ended; returns how many gave p. They are rt_came.
extern "C" unsigned rt_barrier(bool p);
extern unsigned rt_came;

// Lets the other threads run.
extern "C" void rt_wait();

enum rt_Op { rt_vote, rt_every, rt_same, rt_idx, rt_up, rt_down, rt_bfly, rt_match, rt_add, rt_min, rt_umax, rt_xor };
// Waits for the warp's lanes of the mask that have not ended, and returns the operation's result for this
// one. b and c are shfl's operands of these names (PTX ISA, shfl.sync).
extern "C" unsigned rt_warp(rt_Op op, unsigned mask, unsigned long long v, unsigned b, unsigned c);

// Arithmetic rounded to nearest even, down, up or to zero (mode 0 to 3).
enum rt_Arith { rt_fadd, rt_fmul, rt_fdiv, rt_ffma, rt_fsqrt };
extern "C" float rt_f32(rt_Arith op, int mode, float a, float b, float c);
extern "C" double rt_f64(rt_Arith op, int mode, double a, double b, double c);
extern "C" float rt_narrow(int mode, double a);
extern "C" float rt_single(int mode, long long a);
extern "C" float rt_single_u(int mode, unsigned long long a);
extern "C" double rt_double(int mode, long long a);
extern "C" double rt_double_u(int mode, unsigned long long a);

namespace rt {

// Reader takes arguments off a parameter block, each at its own alignment.
struct Reader {
  const unsigned char *block;
  unsigned long at;
  template <class T> T get() {
    at = (at + alignof(T) - 1) / alignof(T) * alignof(T);
    T v;
    __builtin_memcpy(&v, block + at, sizeof(T));
    at += sizeof(T);
    return v;
  }
};
struct Call {
  template <class... A> Call(void (*f)(A...), A... a) { f(a...); }
};
template <class... A> void apply(void (*f)(A...), const unsigned char *block) {
  Reader r{block, 0};
  Call{f, r.get<A>()...}; // braces: from left to right
}
template <auto f> void invoke(const unsigned char *block) { apply(f, block); }

// Entry makes a kernel known to the runtime by name, Symbol a variable of a module.
struct Entry {
  const char *name;
  void (*run)(const unsigned char *block);
  Entry *next;
  Entry(const char *name, void (*run)(const unsigned char *));
};
struct Symbol {
  const char *name;
  void *at;
  unsigned long size;
  Symbol *next;
  Symbol(const char *name, void *at, unsigned long size);
};

} // namespace rt
