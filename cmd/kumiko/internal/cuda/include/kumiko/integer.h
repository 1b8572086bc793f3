// Integer functions (CUDA Math API, "Integer Mathematical Functions" and "Integer Intrinsics"), exact, and the
// overloads of min, max and abs.
#pragma once
#include "qualifiers.h"

K_FN int __popc(unsigned x) { return __builtin_popcount(x); }
K_FN int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
K_FN int __clz(int x) { return x ? __builtin_clz(x) : 32; }
K_FN int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
K_FN int __ffs(int x) { return __builtin_ffs(x); }
K_FN int __ffsll(long long x) { return __builtin_ffsll(x); }
K_FN unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
K_FN unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
K_FN unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
  unsigned d;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(x), "r"(y), "r"(s & 0x7777));
  return d;
}

#define K_FUNNEL(name, op, high, low)                                                                                  \
  K_FN unsigned name(unsigned lo, unsigned hi, unsigned shift) {                                                       \
    unsigned d;                                                                                                        \
    asm(op ".b32 %0, %1, %2, %3;" : "=r"(d) : "r"(lo), "r"(hi), "r"(shift));                                           \
    return d;                                                                                                          \
  }
K_FUNNEL(__funnelshift_l, "shf.l.wrap", hi, lo)
K_FUNNEL(__funnelshift_lc, "shf.l.clamp", hi, lo)
K_FUNNEL(__funnelshift_r, "shf.r.wrap", hi, lo)
K_FUNNEL(__funnelshift_rc, "shf.r.clamp", hi, lo)
#undef K_FUNNEL

K_FN int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
K_FN unsigned __umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
K_FN int __mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
K_FN unsigned __umulhi(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }
K_FN long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
K_FN unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return __nvvm_mulhi_ull(a, b); }
K_FN unsigned __sad(int a, int b, unsigned c) { return __nvvm_sad_i(a, b, c); }
K_FN unsigned __usad(unsigned a, unsigned b, unsigned c) { return __nvvm_sad_ui(a, b, c); }
K_FN int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
K_FN int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
K_FN unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
K_FN unsigned __urhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b + 1) >> 1); }

#if __CUDA_ARCH__ >= 610
#define K_DOT(T, type)                                                                                                 \
  K_FN T __dp4a(T a, T b, T c) {                                                                                       \
    T d;                                                                                                               \
    asm("dp4a." type "." type " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));                                  \
    return d;                                                                                                          \
  }
#else
#define K_DOT(T, type) K_ABSENT("__dp4a needs --arch sm_61 or a newer one") T __dp4a(T a, T b, T c);
#endif
K_DOT(int, "s32")
K_DOT(unsigned, "u32")
#undef K_DOT

#define K_LEAST(T, A, B)                                                                                               \
  K_FN T min(A a, B b) { return (T)a < (T)b ? (T)a : (T)b; }                                                           \
  K_FN T max(A a, B b) { return (T)a > (T)b ? (T)a : (T)b; }
#define K_LEASTS(S, U)                                                                                                 \
  K_LEAST(S, S, S)                                                                                                     \
  K_LEAST(U, U, U)                                                                                                     \
  K_LEAST(U, S, U)                                                                                                     \
  K_LEAST(U, U, S)
K_LEASTS(int, unsigned)
K_LEASTS(long, unsigned long)
K_LEASTS(long long, unsigned long long)
#undef K_LEASTS
#undef K_LEAST
K_FN int umin(unsigned a, unsigned b) { return min(a, b); }
K_FN int umax(unsigned a, unsigned b) { return max(a, b); }

K_FN int abs(int x) { return x < 0 ? -x : x; }
K_FN long abs(long x) { return x < 0 ? -x : x; }
K_FN long long abs(long long x) { return x < 0 ? -x : x; }
K_FN long labs(long x) { return abs(x); }
K_FN long long llabs(long long x) { return abs(x); }

// Time, of the warp.
K_FN long long clock64() { return (long long)__nvvm_read_ptx_sreg_clock64(); }
K_FN void __trap() { asm volatile("trap;"); }
#if __CUDA_ARCH__ >= 700
K_FN void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" : : "r"(ns)); }
#else
K_ABSENT("__nanosleep needs --arch sm_70 or a newer one") void __nanosleep(unsigned ns);
#endif
