// Barriers, fences and the functions between the lanes of a warp (CUDA C++ Programming Guide, "Synchronization
// Functions", "Memory Fence Functions", "Warp Vote", "Match", "Reduce" and "Shuffle Functions").
#pragma once
#include "qualifiers.h"

// __syncthreads is clang's own.
K_FN int __syncthreads_count(int p) { return __nvvm_bar0_popc(p != 0); }
K_FN int __syncthreads_and(int p) { return __nvvm_bar0_and(p != 0); }
K_FN int __syncthreads_or(int p) { return __nvvm_bar0_or(p != 0); }
K_FN void __syncwarp(unsigned mask = 0xffffffff) { __nvvm_bar_warp_sync(mask); }
K_FN void __threadfence_block() { __nvvm_membar_cta(); }
K_FN void __threadfence() { __nvvm_membar_gl(); }
K_FN void __threadfence_system() { __nvvm_membar_sys(); }

K_FN int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p != 0); }
K_FN int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p != 0); }
K_FN int __uni_sync(unsigned mask, int p) { return __nvvm_vote_uni_sync(mask, p != 0); }
K_FN unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p != 0); }
K_FN unsigned __activemask() { return __nvvm_activemask(); }

// The operand c of shfl: the end of the segment, and the bits of a lane's number outside it (PTX ISA, shfl.sync).
K_FN int k_segment(int width, int end) { return (32 - width) << 8 | end; }

// shfl moves words of 32 bits: a value of 64 bits is two of them.
#define K_SHUFFLE(name, how, type, end)                                                                                \
  template <class T> K_FN T k_##name(unsigned mask, T v, type at, int width) {                                         \
    if constexpr (sizeof(T) == 8) {                                                                                    \
      uint2 u = __builtin_bit_cast(uint2, v);                                                                          \
      u.x = __nvvm_shfl_sync_##how##_i32(mask, u.x, at, k_segment(width, end));                                        \
      u.y = __nvvm_shfl_sync_##how##_i32(mask, u.y, at, k_segment(width, end));                                        \
      return __builtin_bit_cast(T, u);                                                                                 \
    } else {                                                                                                           \
      int u = __nvvm_shfl_sync_##how##_i32(mask, __builtin_bit_cast(int, v), at, k_segment(width, end));               \
      return __builtin_bit_cast(T, u);                                                                                 \
    }                                                                                                                  \
  }                                                                                                                    \
  K_SHUFFLES(name, type, int)                                                                                          \
  K_SHUFFLES(name, type, unsigned)                                                                                     \
  K_SHUFFLES(name, type, long)                                                                                         \
  K_SHUFFLES(name, type, unsigned long)                                                                                \
  K_SHUFFLES(name, type, long long)                                                                                    \
  K_SHUFFLES(name, type, unsigned long long)                                                                           \
  K_SHUFFLES(name, type, float)                                                                                        \
  K_SHUFFLES(name, type, double)
#define K_SHUFFLES(name, type, T)                                                                                      \
  K_FN T name(unsigned mask, T v, type at, int width = 32) { return k_##name(mask, v, at, width); }
K_SHUFFLE(__shfl_sync, idx, int, 31)
K_SHUFFLE(__shfl_up_sync, up, unsigned, 0)
K_SHUFFLE(__shfl_down_sync, down, unsigned, 31)
K_SHUFFLE(__shfl_xor_sync, bfly, int, 31)
#undef K_SHUFFLE

#if __CUDA_ARCH__ >= 700
#define K_MATCHES(T, bits, U)                                                                                          \
  K_FN unsigned __match_any_sync(unsigned mask, T v) {                                                                 \
    return __nvvm_match_any_sync_##bits(mask, __builtin_bit_cast(U, v));                                               \
  }                                                                                                                    \
  K_FN unsigned __match_all_sync(unsigned mask, T v, int *all) {                                                       \
    return __nvvm_match_all_sync_##bits##p(mask, __builtin_bit_cast(U, v), all);                                       \
  }
#else
#define K_MATCHES(T, bits, U)                                                                                          \
  K_ABSENT("__match_any_sync needs --arch sm_70 or a newer one") unsigned __match_any_sync(unsigned mask, T v);        \
  K_ABSENT("__match_all_sync needs --arch sm_70 or a newer one")                                                       \
  unsigned __match_all_sync(unsigned mask, T v, int *all);
#endif
K_MATCHES(int, i32, unsigned)
K_MATCHES(unsigned, i32, unsigned)
K_MATCHES(float, i32, unsigned)
K_MATCHES(long, i64, unsigned long long)
K_MATCHES(unsigned long, i64, unsigned long long)
K_MATCHES(long long, i64, unsigned long long)
K_MATCHES(unsigned long long, i64, unsigned long long)
K_MATCHES(double, i64, unsigned long long)
#undef K_MATCHES

#if __CUDA_ARCH__ >= 800
#define K_REDUCE(name, T, redux)                                                                                       \
  K_FN T name(unsigned mask, T v) { return (T)__nvvm_redux_sync_##redux(v, mask); }
#else
#define K_REDUCE(name, T, redux)                                                                                       \
  K_ABSENT(#name " needs --arch sm_80 or a newer one") T name(unsigned mask, T v);
#endif
K_REDUCE(__reduce_add_sync, int, add)
K_REDUCE(__reduce_add_sync, unsigned, add)
K_REDUCE(__reduce_min_sync, int, min)
K_REDUCE(__reduce_min_sync, unsigned, umin)
K_REDUCE(__reduce_max_sync, int, max)
K_REDUCE(__reduce_max_sync, unsigned, umax)
K_REDUCE(__reduce_and_sync, unsigned, and)
K_REDUCE(__reduce_or_sync, unsigned, or)
K_REDUCE(__reduce_xor_sync, unsigned, xor)
#undef K_REDUCE
