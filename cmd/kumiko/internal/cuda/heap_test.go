package cuda

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestMemoryOfTheHeapIsTheThreadsOwnUntilItIsFreed(t *testing.T) {
	got := run(t, `struct node { unsigned v; node *next; };
extern "C" __global__ void k(unsigned *out) {
  unsigned me = blockIdx.x * blockDim.x + threadIdx.x, bad = 0;
  for (int round = 0; round < 3; round++) {
    unsigned n = 1 + (me + round) % 40;
    unsigned *a = new unsigned[n], *b = (unsigned *)malloc(4);
    if (!a || !b || ((size_t)a | (size_t)b) % 16) bad += 1000;
    for (unsigned i = 0; i < n; i++) a[i] = me * 64 + i;
    *b = ~me;
    node *list = nullptr;
    for (unsigned i = 0; i < 3; i++) list = new node{me + i, list};
    __syncthreads();
    for (unsigned i = 0; i < n; i++) bad += a[i] != me * 64 + i;
    bad += *b != ~me;
    for (unsigned i = 3; list; i--) {
      bad += list->v != me + i - 1;
      node *next = list->next;
      delete list;
      list = next;
    }
    free(b);
    delete[] a;
    free(nullptr);
  }
  out[me] = bad;
}`, 4, 512)
	expect(t, got, func(int) uint32 { return 0 })
}

func TestTheHeapHas8MiBAndFreedMemoryIsThereAgain(t *testing.T) {
	// A result that is only compared could be left out by the compiler.
	got := run(t, `__device__ void *volatile sink;
__device__ void *kept(size_t n) { sink = malloc(n); return sink; }
extern "C" __global__ void k(unsigned *out) {
  if (threadIdx.x) return;
  char *p[16];
  unsigned n = 0;
  while (n < 16 && (p[n] = (char *)kept(1000000))) n++;
  out[0] = n;
  out[1] = kept(8 << 20) == nullptr;
  for (unsigned i = 0; i < n; i++) free(p[i]);
  unsigned m = 0;
  while (m < 16 && kept(1000000)) m++;
  out[2] = m;
  out[3] = kept(0) != nullptr;
}`, 1, 4)
	for i, want := range []uint32{7, 1, 7, 1} { // of 8 blocks of 1 MiB, one begins 32 bytes too late
		if got[i] != want {
			t.Errorf("word %d is %d, want %d", i, got[i], want)
		}
	}
}

func TestAddressesTellAndChangeTheirSpace(t *testing.T) {
	got := run(t, `__constant__ unsigned c = 5;
extern "C" __global__ void k(unsigned *out) {
  __shared__ unsigned s[128];
  unsigned i = threadIdx.x, mine[2] = {i, i + 1};
  unsigned a = (unsigned)__cvta_generic_to_shared(&s[i]);
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(a), "r"(i + 7) : "memory");
  unsigned *back = (unsigned *)__cvta_shared_to_generic(a);
  unsigned *global = (unsigned *)__cvta_global_to_generic(__cvta_generic_to_global(out));
  unsigned *local = (unsigned *)__cvta_local_to_generic(__cvta_generic_to_local(&mine[i & 1]));
  unsigned *constant = (unsigned *)__cvta_constant_to_generic(__cvta_generic_to_constant(&c));
  unsigned is = __isShared(back) + 10 * __isGlobal(out) + 100 * __isLocal(mine) + 1000 * __isConstant(&c) +
                10000 * (__isShared(out) + __isGlobal(back) + __isLocal(&c) + __isConstant(mine));
  global[i] = *back + *local + *constant + is * 1000;
}`, 1, 128)
	expect(t, got, func(i int) uint32 { return uint32(i + 7 + i + i&1 + 5 + 1111*1000) })
}

func TestCompareAndSwapOf16BitsTakesOneThread(t *testing.T) {
	got := run(t, `__device__ unsigned short cells[2] = {7, 8};
extern "C" __global__ void k(unsigned *out) {
  __shared__ unsigned short s;
  if (threadIdx.x == 0) s = 3;
  __syncthreads();
  unsigned won = atomicCAS(&cells[1], (unsigned short)8, (unsigned short)65000) == 8;
  won += atomicCAS(&s, (unsigned short)3, (unsigned short)4) == 3;
  __syncthreads();
  out[threadIdx.x] = __syncthreads_count(won > 0) + (cells[0] == 7) * 10 + (cells[1] == 65000) * 100 + (s == 4) * 1000;
}`, 1, 128)
	expect(t, got, func(int) uint32 { return 1111 })
}

func TestCodeOfTheHeadersHasTheLineOfItsCall(t *testing.T) {
	m := compiled(t, filepath.Join("testdata", "header-line.cu"), &Options{})
	want := map[string]int32{"shfl": 7, "atom": 9, "%tid.x": 4, "f16": 11, "match": 13, "activemask": 14}
	for _, in := range m.Kernel("k").Insts {
		for part, line := range want {
			if strings.Contains(in.String(), part) {
				delete(want, part)
				if in.Line != line {
					t.Errorf("%s is in line %d, want %d", in.String(), in.Line, line)
				}
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("no instructions with %v", want)
	}
}

func TestAMissingHeaderIsAnErrorWithARemedy(t *testing.T) {
	needClang(t)
	_, err := compile(t, "#include <cub/cub.cuh>\n__global__ void k() {}\n", &Options{})
	if err == nil || !strings.Contains(err.Error(), "file.cu:1:10: fatal error: 'cub/cub.cuh' file not found") ||
		!strings.Contains(err.Error(), "\ncub/cub.cuh: a header of your own is found by kumiko compile FILE.cu -I "+
			"FOLDER") {
		t.Errorf("error %v", err)
	}
}
