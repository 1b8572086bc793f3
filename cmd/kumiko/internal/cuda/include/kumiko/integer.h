// Integer functions (CUDA Math API, "Integer Mathematical Functions" and "Integer Intrinsics"), exact, and the
// overloads of min, max and abs.
#pragma once
#include "qualifiers.h"

__K_FN int __popc(unsigned x) { return __builtin_popcount(x); }
__K_FN int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__K_FN int __clz(int x) { return x ? __builtin_clz(x) : 32; }
__K_FN int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
__K_FN int __ffs(int x) { return __builtin_ffs(x); }
__K_FN int __ffsll(long long x) { return __builtin_ffsll(x); }
__K_FN unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
__K_FN unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
__K_FN unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
  unsigned d;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(x), "r"(y), "r"(s & 0x7777));
  return d;
}

#define __K_FUNNEL(name, op, high, low)                                                                                \
  __K_FN unsigned name(unsigned lo, unsigned hi, unsigned shift) {                                                     \
    unsigned d;                                                                                                        \
    asm(op ".b32 %0, %1, %2, %3;" : "=r"(d) : "r"(lo), "r"(hi), "r"(shift));                                           \
    return d;                                                                                                          \
  }
__K_FUNNEL(__funnelshift_l, "shf.l.wrap", hi, lo)
__K_FUNNEL(__funnelshift_lc, "shf.l.clamp", hi, lo)
__K_FUNNEL(__funnelshift_r, "shf.r.wrap", hi, lo)
__K_FUNNEL(__funnelshift_rc, "shf.r.clamp", hi, lo)
#undef __K_FUNNEL

__K_FN int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
__K_FN unsigned __umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
__K_FN int __mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
__K_FN unsigned __umulhi(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }
__K_FN long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
__K_FN unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return __nvvm_mulhi_ull(a, b); }
__K_FN unsigned __sad(int a, int b, unsigned c) { return __nvvm_sad_i(a, b, c); }
__K_FN unsigned __usad(unsigned a, unsigned b, unsigned c) { return __nvvm_sad_ui(a, b, c); }
__K_FN int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
__K_FN int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
__K_FN unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
__K_FN unsigned __urhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b + 1) >> 1); }

#if __CUDA_ARCH__ >= 610
#define __K_DOT(T, type)                                                                                               \
  __K_FN T __dp4a(T a, T b, T c) {                                                                                     \
    T d;                                                                                                               \
    asm("dp4a." type "." type " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));                                  \
    return d;                                                                                                          \
  }
#else
#define __K_DOT(T, type) __K_ABSENT("__dp4a needs --arch sm_61 or a newer one") T __dp4a(T a, T b, T c);
#endif
__K_DOT(int, "s32")
__K_DOT(unsigned, "u32")
#undef __K_DOT

#define __K_LEAST(T, A, B)                                                                                             \
  __K_BOTH T min(A a, B b) { return (T)a < (T)b ? (T)a : (T)b; }                                                         \
  __K_BOTH T max(A a, B b) { return (T)a > (T)b ? (T)a : (T)b; }
#define __K_LEASTS(S, U)                                                                                               \
  __K_LEAST(S, S, S)                                                                                                   \
  __K_LEAST(U, U, U)                                                                                                   \
  __K_LEAST(U, S, U)                                                                                                   \
  __K_LEAST(U, U, S)
__K_LEASTS(int, unsigned)
__K_LEASTS(long, unsigned long)
__K_LEASTS(long long, unsigned long long)
#undef __K_LEASTS
#undef __K_LEAST
__K_FN int umin(unsigned a, unsigned b) { return min(a, b); }
__K_FN int umax(unsigned a, unsigned b) { return max(a, b); }

__K_FN int abs(int x) { return x < 0 ? -x : x; }
__K_FN long abs(long x) { return x < 0 ? -x : x; }
__K_FN long long abs(long long x) { return x < 0 ? -x : x; }
__K_FN long labs(long x) { return abs(x); }
__K_FN long long llabs(long long x) { return abs(x); }

// Time, of the warp.
__K_FN long long clock64() { return (long long)__nvvm_read_ptx_sreg_clock64(); }
__K_FN void __trap() { asm volatile("trap;"); }
#if __CUDA_ARCH__ >= 700
__K_FN void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" : : "r"(ns)); }
#else
__K_ABSENT("__nanosleep needs --arch sm_70 or a newer one") void __nanosleep(unsigned ns);
#endif
