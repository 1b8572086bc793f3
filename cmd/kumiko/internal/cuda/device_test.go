package cuda

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"kumiko/kernel/emu"
	"kumiko/kernel/host"
)

// run launches the kernel k(unsigned *out) in CTAs of 128 threads and returns n words of out.
func run(t *testing.T, text string, ctas, n int) []uint32 {
	t.Helper()
	return runFor(t, text, &Options{}, ctas, n)
}

func runFor(t *testing.T, text string, o *Options, ctas, n int) []uint32 {
	t.Helper()
	k := load(t, text, o)
	out := k.Alloc("out", 4*n)
	k.launch("k", ctas, host.U64(out))
	return host.Read[uint32](&k.Device, out, n)
}

// expect compares words, by a function of the index.
func expect(t *testing.T, got []uint32, want func(i int) uint32) {
	t.Helper()
	for i, v := range got {
		if w := want(i); v != w {
			t.Fatalf("word %d is %#x, want %#x", i, v, w)
		}
	}
}

func TestIndicesAndVectorsAreThoseOfTheLaunch(t *testing.T) {
	got := run(t, `extern "C" __global__ void k(uint4 *out) {
  dim3 g = gridDim; uint3 b = blockIdx;
  out[b.x * blockDim.x + threadIdx.x] = make_uint4(g.x * 100 + g.y, b.x, blockDim.x + warpSize, threadIdx.x);
}`, 3, 3*128*4)
	expect(t, got, func(i int) uint32 {
		return []uint32{301, uint32(i / 512), 160, uint32(i / 4 % 128)}[i%4]
	})
}

func TestBarriersCountThreads(t *testing.T) {
	got := run(t, `extern "C" __global__ void k(unsigned *out) {
  __shared__ unsigned s[128];
  unsigned i = threadIdx.x;
  s[i] = i;
  __syncthreads();
  unsigned other = s[127 - i];
  __threadfence();
  out[i] = other + 1000 * __syncthreads_count(i < 40) + 1000000 * __syncthreads_or(i == 5) +
           2000000 * __syncthreads_and(i != 5);
}`, 1, 128)
	expect(t, got, func(i int) uint32 { return uint32(127 - i + 40*1000 + 1000000) })
}

func TestLanesExchangeValuesOfAllTypes(t *testing.T) {
	got := runFor(t, `extern "C" __global__ void k(unsigned *out) {
  unsigned i = threadIdx.x, l = i & 31, *o = out + 12 * i;
  o[0] = __shfl_sync(~0u, i, 3, 8);
  o[1] = (unsigned)__shfl_up_sync(~0u, (float)i, 1);
  o[2] = (unsigned)__shfl_down_sync(~0u, (double)i * 3, 2, 16);
  o[3] = (unsigned)(__shfl_xor_sync(~0u, (unsigned long long)i << 40, 5) >> 40);
  o[4] = __ballot_sync(~0u, l % 3 == 0);
  o[5] = __any_sync(~0u, l == 7) + 2 * __all_sync(~0u, l == 7);
  o[6] = __match_any_sync(~0u, l / 4);
  int all;
  o[7] = __match_all_sync(~0u, 5ull, &all) + all;
  o[8] = l < 8 ? __activemask() : 1;
  __syncwarp();
  o[9] = __reduce_add_sync(~0u, l);
  o[10] = (unsigned)__reduce_max_sync(~0u, -(int)l);
  o[11] = __reduce_xor_sync(~0u, 1u << l);
}`, &Options{Arch: "sm_80"}, 1, 12*128)
	expect(t, got, func(n int) uint32 {
		i := uint32(n / 12)
		l := i & 31
		active, down := uint32(1), i+2
		if l < 8 {
			active = 0xff
		}
		if l&15 > 13 {
			down = i
		}
		up := i - 1
		if l == 0 {
			up = i
		}
		return []uint32{i&^7 + 3, up, 3 * down, i ^ 5, 0x49249249, 1, 0xf << (l &^ 3), 0, active, 496, 0,
			math.MaxUint32}[n%12]
	})
}

func TestAtomicsUpdateGlobalAndSharedMemory(t *testing.T) {
	got := run(t, `extern "C" __global__ void k(unsigned *out) {
  __shared__ unsigned s[4];
  unsigned i = threadIdx.x;
  if (i < 4) s[i] = 0;
  __syncthreads();
  atomicAdd(&s[0], i);
  atomicMax((int *)&s[1], (int)i - 50);
  atomicInc(&s[2], 9);
  atomicXor(&s[3], 1u << (i & 31));
  atomicAdd((float *)out, 0.5f);
  atomicAdd((double *)(out + 2), 0.25);
  atomicMin((unsigned long long *)(out + 4), (unsigned long long)i);
  atomicSub((int *)out + 6, 2);
  unsigned old = out[7], seen;
  do {
    seen = old;
    old = atomicCAS(out + 7, seen, seen + 3);
  } while (old != seen);
  atomicOr(out + 12, 1u << (i & 31));
  if (i == 0) atomicExch((float *)out + 13, 7.0f);
  __syncthreads();
  if (i < 4) out[8 + i] = s[i];
}`, 1, 14)
	double := math.Float64bits(32)
	expect(t, got, func(i int) uint32 {
		return []uint32{math.Float32bits(64), 0, uint32(double), uint32(double >> 32), 0, 0, -256 & math.MaxUint32, 384,
			127 * 64, 77, 8, 0, math.MaxUint32, math.Float32bits(7)}[i]
	})
}

func TestHalvesAreRoundedToTheirPrecision(t *testing.T) {
	got := run(t, `#include <cuda_fp16.h>
extern "C" __global__ void k(unsigned *out) {
  unsigned i = threadIdx.x, *o = out + 4 * i;
  half a = __float2half(i * 0.5f), b = __int2half_rn(3);
  half2 p = __halves2half2(a, b), q = __hfma2(p, p, __float2half2_rn(1.0f));
  o[0] = __float_as_uint(__half2float(a * b + half(0.25f)));
  o[1] = __float_as_uint(__low2float(q));
  o[2] = __float_as_uint(__high2float(q + q)) + (a > b) + __hlt(a, b);
  o[3] = __float_as_uint((float)__shfl_xor_sync(~0u, __hdiv(a, __float2half(2)), 1));
}`, 1, 4*128)
	expect(t, got, func(n int) uint32 {
		i := n / 4
		a := float32(i) / 2
		differ := uint32(1)
		if a == 3 {
			differ = 0
		}
		square := a*a + 1
		if square > 2048 { // 11 bits
			square = float32(math.RoundToEven(float64(square)/2) * 2)
		} else if square > 1024 {
			square = float32(math.RoundToEven(float64(square)))
		} else if square > 512 {
			square = float32(math.RoundToEven(float64(square)*2) / 2)
		}
		return []uint32{math.Float32bits(3*a + 0.25), math.Float32bits(square), math.Float32bits(20) + differ,
			math.Float32bits(float32(i^1) / 4)}[n%4]
	})
}

func TestCooperativeGroupsPartitionTheBlock(t *testing.T) {
	got := run(t, `#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(unsigned *out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  unsigned i = block.thread_rank(), *o = out + 6 * i;
  block.sync();
  o[0] = tile.thread_rank() + 100 * tile.meta_group_rank() + 10000 * tile.size();
  o[1] = tile.shfl(i, 2) + tile.shfl_down(i, 1);
  o[2] = tile.ballot(i & 1) + 1000 * tile.any(i == 9) + 2000 * tile.all(i < 8);
  o[3] = cg::reduce(tile, i, cg::plus<unsigned>());
  o[4] = block.size() + block.group_index().x;
  if (i % 3 == 0) {
    auto some = cg::coalesced_threads();
    o[5] = some.thread_rank() + 100 * some.size();
  } else {
    o[5] = 0;
  }
}`, 1, 6*128)
	expect(t, got, func(n int) uint32 {
		i := uint32(n / 6)
		first, l := i&^7, i&31
		down := i + 1
		if i&7 == 7 {
			down = i
		}
		some := func(of, rest uint32) (v uint32) {
			for j := range of {
				if (i&^31+j)%3 == 0 {
					v += rest
				}
			}
			return v
		}
		coalesced := uint32(0)
		if i%3 == 0 {
			coalesced = some(l, 1) + some(32, 100)
		}
		any, all := uint32(0), uint32(0)
		if first == 8 {
			any = 1000
		}
		if first == 0 {
			all = 2000
		}
		return []uint32{i&7 + 100*(i/8) + 80000, first + 2 + down, 0xaa + any + all, 8*first + 28, 128, coalesced}[n%6]
	})
}

func TestTheGridOfACooperativeLaunchHasABarrier(t *testing.T) {
	k := load(t, `#include <cooperative_groups.h>
extern "C" __global__ void k(unsigned *out) {
  auto grid = cooperative_groups::this_grid();
  unsigned i = grid.thread_rank(), n = grid.size();
  out[i] = i;
  grid.sync();
  unsigned other = out[n - 1 - i];
  grid.sync();
  out[i] = other;
}`, &Options{})
	const n = 6 * 128
	out := k.Alloc("out", 4*n)
	l := host.Launch{Module: k.module, Kernel: "k", Grid: [3]int{6, 1, 1}, Block: [3]int{128, 1, 1},
		Args: []host.Arg{host.U64(out)}}
	if err := k.Launch(&l); err == nil || !strings.Contains(err.Error(), "set cooperative = true") {
		t.Errorf("found %v for a launch that is not cooperative, want the remedy", err)
	}
	l.Cooperative = true
	if err := k.Launch(&l); err != nil {
		t.Fatal(err)
	}
	expect(t, host.Read[uint32](&k.Device, out, n), func(i int) uint32 { return uint32(n - 1 - i) })
}

func TestPrintfPrintsAndAssertStopsTheLaunch(t *testing.T) {
	k := load(t, `#include <stdio.h>
#include <assert.h>
extern "C" __global__ void k(int *out) {
  if (threadIdx.x == 1) printf("%d %.1f %s\n", blockIdx.x, 2.5f, "text");
  int *p = (int *)malloc(8);
  *p = 5;
  out[threadIdx.x] = *p;
  free(p);
  assert(threadIdx.x < 100);
}`, &Options{})
	var said bytes.Buffer
	out := k.Alloc("out", 512)
	k.Runner = &emu.Runner{Mem: k.Mem, Out: &said}
	err := k.Launch(&host.Launch{Module: k.module, Kernel: "k", Grid: [3]int{1, 1, 1}, Block: [3]int{128, 1, 1},
		Args: []host.Arg{host.U64(out)}})
	if said.String() != "0 2.5 text\n" {
		t.Errorf("printed %q", said.String())
	}
	if err == nil || !strings.Contains(err.Error(), "threadIdx.x < 100") {
		t.Errorf("error %v, want one with the text of the assertion", err)
	}
}
