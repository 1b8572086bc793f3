// Atomic functions (CUDA C++ Programming Guide, "Atomic Functions"): each returns the old value. The variants _block
// and _system have the same results.
#pragma once
#include "qualifiers.h"

#define __K_ATOMIC(name, T, expression)                                                                                \
  __K_FN T name(T *p, T v) { return (T)(expression); }                                                                 \
  __K_FN T name##_block(T *p, T v) { return (T)(expression); }                                                         \
  __K_FN T name##_system(T *p, T v) { return (T)(expression); }

__K_ATOMIC(atomicAdd, int, __nvvm_atom_add_gen_i(p, v))
__K_ATOMIC(atomicAdd, unsigned, __nvvm_atom_add_gen_i((int *)p, v))
__K_ATOMIC(atomicAdd, unsigned long long, __nvvm_atom_add_gen_ll((long long *)p, v))
__K_ATOMIC(atomicAdd, float, __nvvm_atom_add_gen_f(p, v))
#if __CUDA_ARCH__ >= 600
__K_ATOMIC(atomicAdd, double, __nvvm_atom_add_gen_d(p, v))
#else
__K_ABSENT("atomicAdd of a double needs --arch sm_60 or a newer one") double atomicAdd(double *p, double v);
#endif
__K_ATOMIC(atomicSub, int, __nvvm_atom_add_gen_i(p, -v))
__K_ATOMIC(atomicSub, unsigned, __nvvm_atom_add_gen_i((int *)p, -v))
__K_ATOMIC(atomicMin, int, __nvvm_atom_min_gen_i(p, v))
__K_ATOMIC(atomicMin, unsigned, __nvvm_atom_min_gen_ui(p, v))
__K_ATOMIC(atomicMin, long long, __nvvm_atom_min_gen_ll(p, v))
__K_ATOMIC(atomicMin, unsigned long long, __nvvm_atom_min_gen_ull(p, v))
__K_ATOMIC(atomicMax, int, __nvvm_atom_max_gen_i(p, v))
__K_ATOMIC(atomicMax, unsigned, __nvvm_atom_max_gen_ui(p, v))
__K_ATOMIC(atomicMax, long long, __nvvm_atom_max_gen_ll(p, v))
__K_ATOMIC(atomicMax, unsigned long long, __nvvm_atom_max_gen_ull(p, v))
__K_ATOMIC(atomicExch, int, __nvvm_atom_xchg_gen_i(p, v))
__K_ATOMIC(atomicExch, unsigned, __nvvm_atom_xchg_gen_i((int *)p, v))
__K_ATOMIC(atomicExch, unsigned long long, __nvvm_atom_xchg_gen_ll((long long *)p, v))
__K_ATOMIC(atomicExch, float, __builtin_bit_cast(float, __nvvm_atom_xchg_gen_i((int *)p, __builtin_bit_cast(int, v))))
__K_ATOMIC(atomicAnd, int, __nvvm_atom_and_gen_i(p, v))
__K_ATOMIC(atomicAnd, unsigned, __nvvm_atom_and_gen_i((int *)p, v))
__K_ATOMIC(atomicAnd, unsigned long long, __nvvm_atom_and_gen_ll((long long *)p, v))
__K_ATOMIC(atomicOr, int, __nvvm_atom_or_gen_i(p, v))
__K_ATOMIC(atomicOr, unsigned, __nvvm_atom_or_gen_i((int *)p, v))
__K_ATOMIC(atomicOr, unsigned long long, __nvvm_atom_or_gen_ll((long long *)p, v))
__K_ATOMIC(atomicXor, int, __nvvm_atom_xor_gen_i(p, v))
__K_ATOMIC(atomicXor, unsigned, __nvvm_atom_xor_gen_i((int *)p, v))
__K_ATOMIC(atomicXor, unsigned long long, __nvvm_atom_xor_gen_ll((long long *)p, v))
__K_ATOMIC(atomicInc, unsigned, __nvvm_atom_inc_gen_ui(p, v))
__K_ATOMIC(atomicDec, unsigned, __nvvm_atom_dec_gen_ui(p, v))
#undef __K_ATOMIC

#define __K_CAS(T, suffix, U)                                                                                          \
  __K_FN T atomicCAS(T *p, T compare, T v) { return (T)__nvvm_atom_cas_gen_##suffix((U *)p, compare, v); }             \
  __K_FN T atomicCAS_block(T *p, T compare, T v) { return atomicCAS(p, compare, v); }                                  \
  __K_FN T atomicCAS_system(T *p, T compare, T v) { return atomicCAS(p, compare, v); }
__K_CAS(int, i, int)
__K_CAS(unsigned, i, int)
__K_CAS(unsigned long long, ll, long long)
#undef __K_CAS
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 700
__K_FN unsigned short atomicCAS(unsigned short *p, unsigned short compare, unsigned short v) {
  unsigned short old;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(old) : "l"((uint64_t)p), "h"(compare), "h"(v) : "memory");
  return old;
}
#endif

// Loads with a cache operator (CUDA C++ Programming Guide, "Read-Only Data Cache Load Function" and "Load Functions
// Using Cache Hints"). Except for __ldg of 4, 8 and 16 bytes they are plain loads.
template <class T> __K_FN T __ldg(const T *p) {
  if constexpr (sizeof(T) == 4) {
    unsigned u;
    asm("ld.global.nc.b32 %0, [%1];" : "=r"(u) : "l"((uint64_t)p));
    return __builtin_bit_cast(T, u);
  } else if constexpr (sizeof(T) == 8) {
    unsigned long long u;
    asm("ld.global.nc.b64 %0, [%1];" : "=l"(u) : "l"((uint64_t)p));
    return __builtin_bit_cast(T, u);
  } else if constexpr (sizeof(T) == 16) {
    uint4 u;
    asm("ld.global.nc.v4.b32 {%0, %1, %2, %3}, [%4];"
        : "=r"(u.x), "=r"(u.y), "=r"(u.z), "=r"(u.w) : "l"((uint64_t)p));
    return __builtin_bit_cast(T, u);
  } else {
    return *p;
  }
}
template <class T> __K_FN T __ldca(const T *p) { return *p; }
template <class T> __K_FN T __ldcg(const T *p) { return *p; }
template <class T> __K_FN T __ldcs(const T *p) { return *p; }
template <class T> __K_FN T __ldcv(const T *p) { return *(const volatile T *)p; }
template <class T> __K_FN void __stcg(T *p, T v) { *p = v; }
template <class T> __K_FN void __stcs(T *p, T v) { *p = v; }
template <class T> __K_FN void __stwt(T *p, T v) { *(volatile T *)p = v; }
