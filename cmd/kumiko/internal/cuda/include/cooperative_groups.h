// Cooperative groups (CUDA C++ Programming Guide, "Cooperative Groups"): the thread block, tiles of a warp, coalesced
// threads, and the grid of a cooperative launch.
#pragma once
#include "kumiko/vectors.h"
#include "kumiko/warp.h"
#include "kumiko/atomics.h"
#include "kumiko/integer.h"

#define __K_IN __device__ __forceinline__
namespace cooperative_groups {

class thread_block {
public:
  static __K_IN void sync() { __syncthreads(); }
  static __K_IN unsigned thread_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
  static __K_IN unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  static __K_IN unsigned size() { return num_threads(); }
  static __K_IN dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __K_IN dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static __K_IN dim3 group_dim() { return blockDim; }
  static __K_IN dim3 dim_threads() { return blockDim; }
};
__K_IN thread_block this_thread_block() { return {}; }

// The members of a group within a warp. lanes is its mask, first the lane of its member 0 where they are consecutive.
template <unsigned N, class Parent = thread_block> class thread_block_tile {
  static_assert(N >= 1 && N <= 32 && (N & (N - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
  static __K_IN unsigned lane() { return thread_block::thread_rank() & 31; }
  static __K_IN unsigned first() { return lane() & ~(N - 1); }
  static __K_IN unsigned lanes() { return (N == 32 ? ~0u : (1u << (N & 31)) - 1) << first(); }
  static __K_IN unsigned own(unsigned mask) { return (mask & lanes()) >> first(); }

public:
  static __K_IN void sync() { __syncwarp(lanes()); }
  static __K_IN unsigned thread_rank() { return lane() & (N - 1); }
  static __K_IN constexpr unsigned num_threads() { return N; }
  static __K_IN constexpr unsigned size() { return N; }
  static __K_IN unsigned meta_group_rank() { return thread_block::thread_rank() / N; }
  static __K_IN unsigned meta_group_size() { return (thread_block::num_threads() + N - 1) / N; }
  template <class T> __K_IN T shfl(T v, int from) const { return __shfl_sync(lanes(), v, from, N); }
  template <class T> __K_IN T shfl_up(T v, unsigned by) const { return __shfl_up_sync(lanes(), v, by, N); }
  template <class T> __K_IN T shfl_down(T v, unsigned by) const { return __shfl_down_sync(lanes(), v, by, N); }
  template <class T> __K_IN T shfl_xor(T v, int with) const { return __shfl_xor_sync(lanes(), v, with, N); }
  __K_IN int any(int p) const { return __any_sync(lanes(), p); }
  __K_IN int all(int p) const { return __all_sync(lanes(), p); }
  __K_IN unsigned ballot(int p) const { return own(__ballot_sync(lanes(), p)); }
  template <class T> __K_IN unsigned match_any(T v) const { return own(__match_any_sync(lanes(), v)); }
};
template <unsigned N, class P> __K_IN thread_block_tile<N, P> tiled_partition(const P &) { return {}; }

// The threads of a warp that execute the call together.
class coalesced_group {
  unsigned lanes, at;

public:
  __K_IN coalesced_group() : lanes(__activemask()), at(thread_block::thread_rank() & 31) {}
  __K_IN void sync() const { __syncwarp(lanes); }
  __K_IN unsigned thread_rank() const { return __popc(lanes & ((1u << at) - 1)); }
  __K_IN unsigned num_threads() const { return __popc(lanes); }
  __K_IN unsigned size() const { return num_threads(); }
  __K_IN int any(int p) const { return __any_sync(lanes, p); }
  __K_IN int all(int p) const { return __all_sync(lanes, p); }
  template <class T> __K_IN T shfl(T v, int from) const {
    unsigned rest = lanes;
    for (int i = 0; i < from; i++) rest &= rest - 1;
    return __shfl_sync(lanes, v, __ffs(rest) - 1);
  }
};
__K_IN coalesced_group coalesced_threads() { return {}; }

// The grid, with a barrier: the launch file says cooperative = true. The second word of the workspace of the launch
// (docs/ptx-semantics.md) counts the blocks; the first one brings the uppermost bit over.
class grid_group {
public:
  static __K_IN unsigned long long num_threads() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * thread_block::num_threads();
  }
  static __K_IN unsigned long long size() { return num_threads(); }
  static __K_IN unsigned block_rank() { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
  static __K_IN unsigned long long thread_rank() {
    return (unsigned long long)block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
  static __K_IN dim3 group_dim() { return gridDim; }
  static __K_IN bool is_valid() { return true; }
  static __K_IN void sync() {
    __syncthreads();
    if (thread_block::thread_rank() == 0) {
      unsigned low, high;
      asm volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
      asm volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
      volatile unsigned *word = (volatile unsigned *)((unsigned long long)high << 32 | low) + 1;
      unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
      __threadfence();
      unsigned old = atomicAdd((unsigned *)word, block_rank() == 0 ? 0x80000001u - blocks : 1u);
      while (((*word ^ old) & 0x80000000u) == 0) {}
      __threadfence();
    }
    __syncthreads();
  }
};
__K_IN grid_group this_grid() { return {}; }

template <class G> __K_IN void sync(const G &g) { g.sync(); }

template <class T> struct plus { __K_IN T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { __K_IN T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { __K_IN T operator()(T a, T b) const { return a < b ? b : a; } };
// The sum, or another function, over a tile: every thread gets it.
template <unsigned N, class P, class T, class F> __K_IN T reduce(const thread_block_tile<N, P> &g, T v, F f) {
  for (unsigned i = N / 2; i > 0; i /= 2) v = f(v, g.shfl_xor(v, i));
  return v;
}
} // namespace cooperative_groups
