// What the kernels of this folder need of CUDA C++, so that clang compiles them
// without a CUDA toolkit: attributes, special registers, a barrier and the
// hardware's approximate functions.
#pragma once

#define KERNEL extern "C" __attribute__((global)) void
#define DEVICE static inline __attribute__((device, always_inline))
#define SHARED static __attribute__((shared))
#define DYNSHARED extern __attribute__((shared))
#define CONSTANT __attribute__((constant))
#define RESTRICT __restrict__

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

DEVICE int tid_x() { return __nvvm_read_ptx_sreg_tid_x(); }
DEVICE int tid_y() { return __nvvm_read_ptx_sreg_tid_y(); }
DEVICE int tid_z() { return __nvvm_read_ptx_sreg_tid_z(); }
DEVICE int cta_x() { return __nvvm_read_ptx_sreg_ctaid_x(); }
DEVICE int cta_y() { return __nvvm_read_ptx_sreg_ctaid_y(); }
DEVICE int threads_x() { return __nvvm_read_ptx_sreg_ntid_x(); }
DEVICE int threads_y() { return __nvvm_read_ptx_sreg_ntid_y(); }
DEVICE int ctas_x() { return __nvvm_read_ptx_sreg_nctaid_x(); }
DEVICE int ctas_y() { return __nvvm_read_ptx_sreg_nctaid_y(); }

// The thread's index along x in the whole grid.
DEVICE int global_x() { return cta_x() * threads_x() + tid_x(); }
DEVICE int global_y() { return cta_y() * threads_y() + tid_y(); }

DEVICE void barrier() { __syncthreads(); }

DEVICE int min(int a, int b) { return a < b ? a : b; }
DEVICE int max(int a, int b) { return a > b ? a : b; }
DEVICE float fmin(float a, float b) { return __nvvm_fmin_f(a, b); }
DEVICE float fmax(float a, float b) { return __nvvm_fmax_f(a, b); }
DEVICE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
DEVICE float fabs(float x) { return __builtin_fabsf(x); }
DEVICE float sqrt(float x) { return __nvvm_sqrt_rn_f(x); }

// Approximations by the special function unit.
DEVICE float exp2_approx(float x) { return __nvvm_ex2_approx_f(x); }
DEVICE float log2_approx(float x) { return __nvvm_lg2_approx_f(x); }
DEVICE float exp_approx(float x) { return exp2_approx(x * 1.4426950408889634f); }
DEVICE float log_approx(float x) { return log2_approx(x) * 0.6931471805599453f; }
DEVICE float sin_approx(float x) { return __nvvm_sin_approx_f(x); }
DEVICE float cos_approx(float x) { return __nvvm_cos_approx_f(x); }
DEVICE float rsqrt_approx(float x) { return __nvvm_rsqrt_approx_f(x); }
