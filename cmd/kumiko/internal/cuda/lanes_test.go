package cuda

import (
	"math"
	"math/bits"
	"testing"

	"kumiko/kernel/host"
)

// 100 threads of 128 add up their numbers, by the reduction of the CUDA guide behind the usual check of bounds.
func TestThreadsThatReturnFirstAreNotWaitedForInAShuffle(t *testing.T) {
	k := load(t, `extern "C" __global__ void sum(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x % 32 == 0) y[i / 32] = v;
}`, &Options{})
	x, y := k.Alloc("x", 4*128), k.Alloc("y", 16)
	ones := make([]float32, 128)
	for i := range ones {
		ones[i] = 1
	}
	host.Write(&k.Device, x, ones)
	k.launch("sum", 1, host.U64(x), host.U64(y), host.U32(100))
	expect(t, host.Read[uint32](&k.Device, y, 3), func(int) uint32 { return math.Float32bits(32) })
}

func TestThreadsThatReturnAreNotWaitedForInAnyLoopVoteBarrierOrTile(t *testing.T) {
	k := load(t, `#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" {
__global__ void leave(int *o) {
  int t = threadIdx.x, s = 0;
  for (int i = 0;; i++) {
    if (i > t % 32) { o[t] = s; return; }
    s += __popc(__ballot_sync(0xffffffffu, 1));
  }
}
__global__ void syncwarp(int *o) { int i = threadIdx.x; if (i % 32 >= 20) return; o[i] = 1; __syncwarp(); o[i] += 1; }
__global__ void ballot(int *o) { int i = threadIdx.x; if (i % 32 >= 20) return; o[i] = __ballot_sync(0xffffffff, i & 1); }
__global__ void loops(int *o) {
  int i = threadIdx.x;
  for (int n = 0; n < 4; n++) { if (i % 32 >= 20 - n) return; o[i] += __any_sync(0xffffffff, i % 32 == n); }
}
__global__ void tiles(int *o) {
  int i = threadIdx.x;
  if (i % 8 >= 5) return;
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  tile.sync();
  o[i] = tile.ballot(i & 1) + 1000 * tile.any(i % 8 == 4);
}
__global__ void both(int *o) {
  int i = threadIdx.x;
  if (i % 2) { if (i % 32 > 20) return; o[i] = 1; }
  __syncwarp();
  o[i] += __popc(__ballot_sync(0xffffffffu, 1));
  __syncthreads();
  o[i] += 100;
}
}`, &Options{})
	sum := func(i int) (s uint32) {
		for n := range i%32 + 1 {
			s += uint32(32 - n)
		}
		return s
	}
	below := func(n int, f func(i int) uint32) func(int) uint32 {
		return func(i int) uint32 {
			if i%32 >= n {
				return 0
			}
			return f(i)
		}
	}
	for name, want := range map[string]func(int) uint32{
		"leave":    sum,
		"syncwarp": below(20, func(int) uint32 { return 2 }),
		"ballot":   below(20, func(int) uint32 { return 0xaaaaa }),
		"loops":    below(20, func(i int) uint32 { return uint32(min(4, 20-i%32)) }),
		"tiles": func(i int) uint32 {
			if i%8 >= 5 {
				return 0
			}
			return 0xa + 1000
		},
		"both": func(i int) uint32 {
			lanes := uint32(0x55555555 | (1<<21 - 1))
			if lanes>>(i%32)&1 == 0 {
				return 0
			}
			return uint32(bits.OnesCount32(lanes)) + uint32(i%2) + 100
		},
	} {
		out := k.Alloc(name, 512)
		k.launch(name, 1, host.U64(out))
		t.Run(name, func(t *testing.T) { expect(t, host.Read[uint32](&k.Device, out, 128), want) })
	}
}

func TestThreadsOfAWarpTakeLocksInTurn(t *testing.T) {
	k := load(t, `extern "C" {
__device__ int lock, locks[4];
__global__ void one(int *o) {
  while (atomicCAS(&lock, 0, 1) != 0) {}
  __threadfence();
  *(volatile int *)o += 1;
  __threadfence();
  atomicExch(&lock, 0);
}
__global__ void backoff(int *o) {
  int tries = 0;
  while (atomicExch(&lock, 1) != 0) tries++;
  __threadfence();
  *(volatile int *)o += 1;
  __threadfence();
  atomicExch(&lock, 0);
  if (tries < 0) o[1] = tries;
}
__global__ void inside(int *o) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      *(volatile int *)o += 1;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
}
__global__ void several(int *o) { // each thread goes through all locks, from one of its own
  for (int i = 0; i < 4; i++) {
    int n = (threadIdx.x + i) % 4;
    while (atomicCAS(&locks[n], 0, 1) != 0) {}
    ((volatile int *)o)[n] += 1;
    __threadfence();
    atomicExch(&locks[n], 0);
  }
}
__global__ void ordered(int *o) { // a thread waits for the one behind it
  int i = threadIdx.x;
  while (i != 127 && ((volatile int *)o)[i + 1] == 0) {}
  ((volatile int *)o)[i] = i == 127 ? 1 : o[i + 1] + 1;
}
__global__ void barrier(int *o) {
  while (atomicCAS(&lock, 0, 1) != 0) {}
  *(volatile int *)o += 1;
  __threadfence();
  atomicExch(&lock, 0);
  __syncthreads();
  if (*(volatile int *)o != 128) o[1] = 1;
  int v = __shfl_sync(0xffffffff, threadIdx.x, 7);
  if (v % 32 != 7) o[2] = 1;
}
}`, &Options{})
	first := func(n uint32) func(int) uint32 {
		return func(i int) uint32 {
			if i == 0 {
				return n
			}
			return 0
		}
	}
	for name, want := range map[string]func(int) uint32{"one": first(128), "backoff": first(128), "inside": first(128),
		"barrier": first(128), "several": func(i int) uint32 {
			if i < 4 {
				return 128
			}
			return 0
		}, "ordered": func(i int) uint32 { return uint32(128 - i) }} {
		out := k.Alloc(name, 512)
		k.launch(name, 1, host.U64(out))
		t.Run(name, func(t *testing.T) { expect(t, host.Read[uint32](&k.Device, out, 128), want) })
	}
}
