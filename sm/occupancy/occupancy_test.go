package occupancy

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// tesla is the SM of Register Sharing (Jatala et al.), table 1: Tesla C2050.
var tesla = SM{Registers: 32768, SharedBytes: 48 << 10, Threads: 1536, Warps: 48, CTAs: 8}

var gpgpusim = Spec{Rule: RuleGPGPUSim, RegisterUnit: 64, WarpUnit: 2, SharedUnit: 128}

// Register Sharing tables 2 and 3 without sharing: the resident CTAs and their
// limits. lavaMD and STO are given no shared-memory size; the paper's
// limits need more than 8 KiB and more than 9.6 KiB, so 9 KiB and 10 KiB stand
// in: floor(48/9) = 5 and floor(48/10) = 4.
func TestTheBaselineOfRegisterSharingTables2And3(t *testing.T) {
	for _, k := range []struct {
		name   string
		c      CTA
		ctas   int
		limit  string
		unused int
	}{
		{"backprop", CTA{256, 24, 0}, 5, ByRegisters, 2048},
		{"b+tree", CTA{508, 24, 0}, 2, ByRegisters, 8192}, // padded to 512 threads
		{"hotspot", CTA{256, 36, 0}, 3, ByRegisters, 5120},
		{"LIB", CTA{192, 36, 0}, 4, ByRegisters, 5120},
		{"MUM", CTA{256, 28, 0}, 4, ByRegisters, 4096},
		{"mri-q", CTA{256, 24, 0}, 5, ByRegisters, 2048},
		{"sgemm", CTA{128, 48, 0}, 5, ByRegisters, 2048},
		{"stencil", CTA{512, 28, 0}, 2, ByRegisters, 4096},

		{"backprop layerforward", CTA{256, 12, 0}, 6, ByThreads, 32768 - 6*256*12},
		// Registers and threads tie at 6: the first in order is named.
		{"BFS", CTA{256, 20, 0}, 6, ByRegisters, 32768 - 6*256*20},
		{"gaussian", CTA{512, 12, 0}, 3, ByThreads, 32768 - 3*512*12},
		{"lavaMD", CTA{128, 40, 9 << 10}, 5, ByShared, 32768 - 5*128*40},
		{"lud", CTA{32, 36, 0}, 8, ByCTAs, 32768 - 8*32*36},
		{"mri-q PhiMag", CTA{512, 12, 0}, 3, ByThreads, 32768 - 3*512*12},
		{"NN", CTA{25, 24, 0}, 8, ByCTAs, 32768 - 8*32*24},
		{"STO", CTA{128, 48, 10 << 10}, 4, ByShared, 32768 - 4*128*48},
	} {
		r, err := gpgpusim.Of(tesla, k.c)
		if err != nil {
			t.Fatal(err)
		}
		want := Result{CTAs: k.ctas, Limit: k.limit, RegistersUnused: k.unused}
		if r != want {
			t.Errorf("%s: %+v, want %+v", k.name, r, want)
		}
	}
}

func TestGPGPUSimRoundsRegistersToFourAndThreadsTo32(t *testing.T) {
	// 33 threads count as 64, 21 registers as 24: 64 x 24 = 1536.
	if n := gpgpusim.CTARegisters(33, 21); n != 1536 {
		t.Errorf("%d registers per CTA, want 1536", n)
	}
}

// maxwell is compute capability 5.2 in the vendor's occupancy calculator.
var (
	maxwellSM = SM{Registers: 65536, SharedBytes: 98304, Threads: 2048, Warps: 64, CTAs: 32, CTAShared: 49152,
		MaxRegisters: 255}
	maxwell = Spec{Rule: RuleCUDA, RegisterUnit: 256, WarpUnit: 4, SharedUnit: 256}
)

// 37 registers x 32 lanes = 1184, rounded up to 1280 per warp; 65536/1280 = 51
// warps, rounded down to 48; 48/8 warps of a CTA = 6.
func TestTheVendorsRuleRoundsPerWarpAndToWholePartitions(t *testing.T) {
	for _, k := range []struct {
		threads, regs, ctas int
	}{
		{256, 37, 6},
		{256, 32, 8},   // 65536/1024 = 64 warps
		{96, 48, 13},   // 65536/1536 = 42 -> 40 warps, 40/3 = 13; unrounded 42/3 would be 14
		{1024, 64, 1},  // 65536/2048 = 32 warps, 32/32
		{1024, 33, 1},  // 1056 -> 1280, 51 -> 48 warps, 48/32 = 1
		{32, 255, 8},   // 8160 -> 8192, 8 warps
		{1024, 16, 2},  // threads
		{64, 8, 32},    // CTA slots
		{128, 65, 7},   // 2080 -> 2304, 28 warps, 28/4
		{160, 168, 2},  // 5376, 12 warps, 12/5
		{512, 40, 3},   // 1280, 51 -> 48, 48/16
		{192, 24, 10},  // 768, 85 -> 84 warps by registers; threads: 2048/192 = 10
		{64, 100, 8},   // 3200 -> 3328, 19 -> 16 warps, 16/2
		{736, 40, 2},   // 23 warps, 48/23
		{480, 255, -1}, // 15 warps x 8192 do not fit
	} {
		r, err := maxwell.Of(maxwellSM, CTA{Threads: k.threads, Registers: k.regs})
		if k.ctas < 0 {
			if err == nil {
				t.Errorf("%d threads of %d registers: %+v, want an error", k.threads, k.regs, r)
			}
			continue
		}
		if err != nil || r.CTAs != k.ctas {
			t.Errorf("%d threads of %d registers: %+v, %v, want %d", k.threads, k.regs, r, err, k.ctas)
		}
	}
}

func TestTheVendorsRuleRoundsSharedMemoryUp(t *testing.T) {
	// 12289 bytes become 12544: 98304/12544 = 7, where 98304/12289 = 7.99 too; 6145 become 6400: 15, not 15.99.
	for _, k := range []struct{ bytes, ctas int }{{12288, 8}, {12289, 7}, {6144, 16}, {6145, 15}, {3073, 29}} {
		r, err := maxwell.Of(maxwellSM, CTA{Threads: 32, Registers: 8, SharedBytes: k.bytes})
		if err != nil || r.CTAs != k.ctas || r.Limit != ByShared {
			t.Errorf("%d bytes: %+v, %v, want %d by shared memory", k.bytes, r, err, k.ctas)
		}
	}
}

func TestTheErrorForATooLargeCTANamesTheMissingResource(t *testing.T) {
	for _, k := range []struct {
		c    CTA
		want string
	}{
		{CTA{0, 8, 0}, "0 threads"},
		{CTA{2080, 8, 0}, "2080 thread slots, the SM has 2048"},
		{CTA{1024, 128, 0}, "131072 registers, the SM has 65536"},
		{CTA{32, 256, 0}, "256 registers per thread: the GPU has at most 255"},
		{CTA{32, 8, 50000}, "50000 bytes of shared memory: a CTA may have at most 49152"},
		{CTA{32, -1, 0}, "below 0"},
	} {
		_, err := gpgpusim.Of(maxwellSM, k.c)
		if err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("%+v: error %v, want one with %q", k.c, err, k.want)
		}
	}
}

// What comes out fits, and one more would not.
func TestOccupancyIsTheMostThatFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom([]Spec{gpgpusim, maxwell}).Draw(t, "rule")
		c := CTA{
			Threads:     rapid.IntRange(1, 1024).Draw(t, "threads"),
			Registers:   rapid.IntRange(0, 128).Draw(t, "registers"),
			SharedBytes: rapid.IntRange(0, 49152).Draw(t, "shared"),
		}
		r, err := s.Of(maxwellSM, c)
		if err != nil {
			t.Skip(err)
		}
		fits := func(n int) bool {
			return n*s.CTARegisters(c.Threads, c.Registers) <= maxwellSM.Registers &&
				n*s.CTAShared(c.SharedBytes) <= maxwellSM.SharedBytes &&
				n*Warps(c.Threads) <= maxwellSM.Warps && n <= maxwellSM.CTAs
		}
		if !fits(r.CTAs) {
			t.Fatalf("%+v does not fit", r)
		}
		if s.Rule == RuleGPGPUSim && fits(r.CTAs+1) {
			t.Fatalf("%+v, but one more fits", r)
		}
	})
}

// A pool of 128 KB less its reserved part: CTAs of 256 threads with 24 registers take 24 KB
// of registers each.
func TestAPoolBoundsRegistersAndSharedMemoryTogether(t *testing.T) {
	sm := SM{Registers: 1 << 20, SharedBytes: 1 << 20, Threads: 2048, Warps: 64, CTAs: 32,
		Pool: Pool{Bytes: 120 << 10, Registers: true, Shared: true}}
	for _, x := range []struct {
		shared            int
		registers, shares bool
		ctas              int
		limit             string
	}{
		{0, true, true, 5, ByPool}, {6 << 10, true, true, 4, ByPool}, {16 << 10, true, true, 3, ByPool},
		{96 << 10, true, true, 1, ByPool},
		{16 << 10, false, true, 7, ByPool}, {16 << 10, true, false, 5, ByPool}, {1 << 10, false, true, 8, ByThreads},
	} {
		sm.Pool.Registers, sm.Pool.Shared = x.registers, x.shares
		r, err := gpgpusim.Of(sm, CTA{256, 24, x.shared})
		if err != nil || r.CTAs != x.ctas || r.Limit != x.limit {
			t.Errorf("%+v: %+v, %v", x, r, err)
		}
	}
	sm.Pool.Registers, sm.Pool.Shared = true, false
	if r, err := gpgpusim.Others(sm, CTA{256, 24, 16 << 10}); err != nil || r.CTAs != 8 {
		t.Errorf("registers do not matter, and shared memory does not lie in the pool: %+v, %v", r, err)
	}
	if _, err := gpgpusim.Of(sm, CTA{1024, 32, 0}); err == nil || !strings.Contains(err.Error(),
		"needs 131072 bytes of the pool, the SM has 122880") {
		t.Errorf("a CTA that does not fit into the pool: %v", err)
	}
	if only, err := sm.Only(ByPool); err != nil || only.Pool != sm.Pool || only.Threads == sm.Threads {
		t.Errorf("%+v, %v", only, err)
	}
}
