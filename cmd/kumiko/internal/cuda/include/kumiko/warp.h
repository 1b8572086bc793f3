// Barriers, fences and the functions between the lanes of a warp (CUDA C++ Programming Guide, "Synchronization
// Functions", "Memory Fence Functions", "Warp Vote", "Match", "Reduce" and "Shuffle Functions").
#pragma once
#include "qualifiers.h"

// __syncthreads is clang's own.
__K_FN int __syncthreads_count(int p) { return __nvvm_bar0_popc(p != 0); }
__K_FN int __syncthreads_and(int p) { return __nvvm_bar0_and(p != 0); }
__K_FN int __syncthreads_or(int p) { return __nvvm_bar0_or(p != 0); }
__K_FN void __syncwarp(unsigned mask = 0xffffffff) { __nvvm_bar_warp_sync(mask); }
__K_FN void __threadfence_block() { __nvvm_membar_cta(); }
__K_FN void __threadfence() { __nvvm_membar_gl(); }
__K_FN void __threadfence_system() { __nvvm_membar_sys(); }

__K_FN int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p != 0); }
__K_FN int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p != 0); }
__K_FN int __uni_sync(unsigned mask, int p) { return __nvvm_vote_uni_sync(mask, p != 0); }
__K_FN unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p != 0); }
__K_FN unsigned __activemask() { return __nvvm_activemask(); }

// The operand c of shfl: the end of the segment, and the bits of a lane's number outside it (PTX ISA, shfl.sync).
__K_FN int __k_segment(int width, int end) { return (32 - width) << 8 | end; }

// shfl moves words of 32 bits: a value of 64 bits is two of them.
#define __K_SHUFFLE(name, how, type, end)                                                                              \
  template <class T> __K_FN T __k_##name(unsigned mask, T v, type at, int width) {                                     \
    if constexpr (sizeof(T) == 8) {                                                                                    \
      uint2 u = __builtin_bit_cast(uint2, v);                                                                          \
      u.x = __nvvm_shfl_sync_##how##_i32(mask, u.x, at, __k_segment(width, end));                                      \
      u.y = __nvvm_shfl_sync_##how##_i32(mask, u.y, at, __k_segment(width, end));                                      \
      return __builtin_bit_cast(T, u);                                                                                 \
    } else {                                                                                                           \
      int u = __nvvm_shfl_sync_##how##_i32(mask, __builtin_bit_cast(int, v), at, __k_segment(width, end));             \
      return __builtin_bit_cast(T, u);                                                                                 \
    }                                                                                                                  \
  }                                                                                                                    \
  __K_SHUFFLES(name, type, int)                                                                                        \
  __K_SHUFFLES(name, type, unsigned)                                                                                   \
  __K_SHUFFLES(name, type, long)                                                                                       \
  __K_SHUFFLES(name, type, unsigned long)                                                                              \
  __K_SHUFFLES(name, type, long long)                                                                                  \
  __K_SHUFFLES(name, type, unsigned long long)                                                                         \
  __K_SHUFFLES(name, type, float)                                                                                      \
  __K_SHUFFLES(name, type, double)
#define __K_SHUFFLES(name, type, T)                                                                                    \
  __K_FN T name(unsigned mask, T v, type at, int width = 32) { return __k_##name(mask, v, at, width); }
__K_SHUFFLE(__shfl_sync, idx, int, 31)
__K_SHUFFLE(__shfl_up_sync, up, unsigned, 0)
__K_SHUFFLE(__shfl_down_sync, down, unsigned, 31)
__K_SHUFFLE(__shfl_xor_sync, bfly, int, 31)
#undef __K_SHUFFLE

#if __CUDA_ARCH__ >= 700
#define __K_MATCHES(T, bits, U)                                                                                        \
  __K_FN unsigned __match_any_sync(unsigned mask, T v) {                                                               \
    return __nvvm_match_any_sync_##bits(mask, __builtin_bit_cast(U, v));                                               \
  }                                                                                                                    \
  __K_FN unsigned __match_all_sync(unsigned mask, T v, int *all) {                                                     \
    return __nvvm_match_all_sync_##bits##p(mask, __builtin_bit_cast(U, v), all);                                       \
  }
#else
#define __K_MATCHES(T, bits, U)                                                                                        \
  __K_ABSENT("__match_any_sync needs --arch sm_70 or a newer one") unsigned __match_any_sync(unsigned mask, T v);      \
  __K_ABSENT("__match_all_sync needs --arch sm_70 or a newer one")                                                     \
  unsigned __match_all_sync(unsigned mask, T v, int *all);
#endif
__K_MATCHES(int, i32, unsigned)
__K_MATCHES(unsigned, i32, unsigned)
__K_MATCHES(float, i32, unsigned)
__K_MATCHES(long, i64, unsigned long long)
__K_MATCHES(unsigned long, i64, unsigned long long)
__K_MATCHES(long long, i64, unsigned long long)
__K_MATCHES(unsigned long long, i64, unsigned long long)
__K_MATCHES(double, i64, unsigned long long)
#undef __K_MATCHES

#if __CUDA_ARCH__ >= 800
#define __K_REDUCE(name, T, redux)                                                                                     \
  __K_FN T name(unsigned mask, T v) { return (T)__nvvm_redux_sync_##redux(v, mask); }
#else
#define __K_REDUCE(name, T, redux)                                                                                     \
  __K_ABSENT(#name " needs --arch sm_80 or a newer one") T name(unsigned mask, T v);
#endif
__K_REDUCE(__reduce_add_sync, int, add)
__K_REDUCE(__reduce_add_sync, unsigned, add)
__K_REDUCE(__reduce_min_sync, int, min)
__K_REDUCE(__reduce_min_sync, unsigned, umin)
__K_REDUCE(__reduce_max_sync, int, max)
__K_REDUCE(__reduce_max_sync, unsigned, umax)
__K_REDUCE(__reduce_and_sync, unsigned, and)
__K_REDUCE(__reduce_or_sync, unsigned, or)
__K_REDUCE(__reduce_xor_sync, unsigned, xor)
#undef __K_REDUCE
