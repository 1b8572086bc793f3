// The host's side of benchmarks/cuda.h: the same names, by the functions of host.h. The
// special functions are rounded from double precision, as docs/ptx-semantics.md says.
#pragma once
#include "runtime.h"

#define KERNEL extern "C" void
#define DEVICE static inline __attribute__((always_inline))
#define SHARED static
#define DYNSHARED extern
#define CONSTANT
#define RESTRICT __restrict__

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

DEVICE int tid_x() { return rt_now->tid[0]; }
DEVICE int tid_y() { return rt_now->tid[1]; }
DEVICE int tid_z() { return rt_now->tid[2]; }
DEVICE int cta_x() { return rt_cta[0]; }
DEVICE int cta_y() { return rt_cta[1]; }
DEVICE int threads_x() { return rt_block[0]; }
DEVICE int threads_y() { return rt_block[1]; }
DEVICE int ctas_x() { return rt_grid[0]; }
DEVICE int ctas_y() { return rt_grid[1]; }
DEVICE int global_x() { return cta_x() * threads_x() + tid_x(); }
DEVICE int global_y() { return cta_y() * threads_y() + tid_y(); }
DEVICE void barrier() { rt_barrier(0); }

DEVICE int min(int a, int b) { return a < b ? a : b; }
DEVICE int max(int a, int b) { return a > b ? a : b; }
DEVICE bool below(float a) { return __builtin_signbit(a); }
DEVICE float fmin(float a, float b) { return a != a ? b : b != b ? a : a == b ? (below(a) ? a : b) : a < b ? a : b; }
DEVICE float fmax(float a, float b) { return a != a ? b : b != b ? a : a == b ? (below(a) ? b : a) : a > b ? a : b; }
DEVICE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
DEVICE float fabs(float x) { return __builtin_fabsf(x); }
DEVICE float sqrt(float x) { return __builtin_sqrtf(x); }

DEVICE float exp2_approx(float x) { return (float)__builtin_exp2((double)x); }
DEVICE float log2_approx(float x) { return (float)__builtin_log2((double)x); }
DEVICE float exp_approx(float x) { return exp2_approx(x * 1.4426950408889634f); }
DEVICE float log_approx(float x) { return log2_approx(x) * 0.6931471805599453f; }
DEVICE float sin_approx(float x) { return (float)__builtin_sin((double)x); }
DEVICE float cos_approx(float x) { return (float)__builtin_cos((double)x); }
DEVICE float rsqrt_approx(float x) { return (float)(1 / __builtin_sqrt((double)x)); }

DEVICE int __nvvm_d2i_lo(double x) { return (int)__builtin_bit_cast(u64, x); }
DEVICE int __nvvm_d2i_hi(double x) { return (int)(__builtin_bit_cast(u64, x) >> 32); }
DEVICE double __nvvm_lohi_i2d(int lo, int hi) { return __builtin_bit_cast(double, (u64)(u32)hi << 32 | (u32)lo); }
DEVICE int __nvvm_atom_add_gen_i(int *p, int v) { int old = *p; *p = old + v; return old; }
