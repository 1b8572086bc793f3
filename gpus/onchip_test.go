package gpus_test

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus/result"
	"kumiko/sm/occupancy"
)

func TestOrganisationsOfOnChipMemoryGoWithTheirRegisterFile(t *testing.T) {
	for _, c := range []struct {
		design string
		set    []string
		want   string
	}{
		{"cerf-fair", []string{"onchip.memory=separate"},
			"onchip.memory: found separate, expected cerf, with regfile.kind = cerf"},
		{"", []string{"onchip.memory=cerf"},
			"onchip.memory: found cerf, expected another organisation with regfile.kind = conventional, or " +
				"regfile.kind = cerf"},
		{"rfc", []string{"onchip.memory=cerf"},
			"onchip.memory: found cerf, expected another organisation with regfile.kind = rfc"},
		{"", []string{"onchip.memory=magic"}, "onchip.memory: found magic, expected"},
		{"unified", []string{"mem.l1.tags.sets=64"},
			"mem.l1.tags.sets has no effect: expected onchip.memory other than unified"},
		{"cerf-fair", []string{"mem.l1.latency=40"},
			"mem.l1.latency has no effect: expected onchip.memory other than cerf"},
		{"cerf-fair", []string{"mem.l1.tags.ways=8"}, "mem.l1.tags.ways has no effect"},
		{"cerf-fair", []string{"regfile.conventional.bank_index=register"}, "bank_index = linear"},
		{"cerf-fair", []string{"regfile.cerf.ways=3"}, "regfile.cerf.ways: found 3, expected a power of two"},
		{"cerf-fair", []string{"regfile.cerf.bytes=100000"},
			"regfile.cerf.bytes: found 100000, expected sets x 4 ways x 128 bytes"},
		{"cerf-fair", []string{"regfile.cerf.bytes=4294967296"}, "leaves no prefix for the SM"},
		{"cerf-fair", []string{"regfile.cerf.bytes=65536"},
			"expected room for the 1024 warp registers of the SM (131072 bytes)"},
		{"cerf-fair", []string{"regfile.cerf.dead=meet"},
			"regfile.cerf.dead has no effect: expected regfile.cerf.policy = lru-prioritized"},
		{"cerf-prioritized", []string{"regfile.cerf.lanes=mask"},
			"regfile.cerf.lanes has no effect: expected regfile.cerf.policy = lru-fair"},
		{"cerf-fair", []string{"regfile.conventional.sub_cores=2"}, "sub_cores = 1"},
		{"cerf-fair", []string{"regfile.conventional.network=butterfly"},
			"network: found butterfly, expected crossbar"},
	} {
		cfg, err := config.Load(config.Request{GPU: "fermi-gto", Design: c.design, Set: c.set})
		if err == nil {
			_, err = gpus.New(cfg, gpus.Options{})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %v: error %v, want one with %q", c.design, c.set, err, c.want)
		}
	}
}

// l1Bytes returns the size of the L1 left by CTAs of 256 threads with the given registers.
func l1Bytes(t *testing.T, registers int, set ...string) int {
	t.Helper()
	c := machinetest.Config(t, config.Request{GPU: "fermi-gto", Design: "unified", Set: set})
	o, err := c.CTAs(occupancy.CTA{Threads: 256, Registers: registers, SharedBytes: 1024})
	if err != nil {
		t.Fatal(err)
	}
	base, err := testConfig(t, "fermi-gto").CTAs(occupancy.CTA{Threads: 256, Registers: registers, SharedBytes: 1024})
	if err != nil || base.CTAs != o.CTAs {
		t.Errorf("%d CTAs of %d registers, %d in the baseline, %v", o.CTAs, registers, base.CTAs, err)
	}
	n, _ := o.Figure("l1_bytes")
	return n
}

// Six CTAs of 256 threads, 1536 in all, take 6 KB for each register of a thread.
func TestTheL1HasWhatCTAsLeaveOfAPool(t *testing.T) {
	for _, c := range []struct {
		registers, want int
		set             []string
	}{
		{20, 131072 - 20*6144, nil},                            // 8192
		{16, 131072 - 16*6144, nil},                            // 32768
		{32, 4096, nil},                                        // 4 CTAs of 32 KB: all of it
		{32, 8192, []string{"onchip.unified.least_l1=8192"}},   // 4 CTAs of 32 KB: all of it
		{21, 131072 - 5*256*24*4, nil},                         // 5 CTAs of 24 registers: 8192
		{16, 131072 - 16*6144, []string{"mem.l1.tags.ways=8"}}, // 32 sets of 8
		{16, 131072 - 16*6144 - 6*1024, []string{`onchip.unified.holds=["registers", "shared", "l1"]`}}, // 52 sets of 4
		{16, 131072 - 6*1024, []string{`onchip.unified.holds=["shared", "l1"]`}},
	} {
		if got := l1Bytes(t, c.registers, c.set...); got != c.want {
			t.Errorf("%d registers, %v: an L1 of %d bytes, want %d", c.registers, c.set, got, c.want)
		}
	}
}

// The sizes are those of compute capability 8.6 (CUDA programming guide): 0, 8, 16, 32, 64 and 100 KB of 128. Each
// CTA uses 1 KB more than requested. The L1 has sets of 8 KB, at least four.
func TestSharedMemoryOfAPoolHasASizeOfTheChip(t *testing.T) {
	for _, c := range []struct{ perCTA, ctas, want int }{
		{0, 16, 112 << 10}, {2 << 10, 16, 64 << 10}, {40 << 10, 2, 32 << 10}, {90 << 10, 1, 32 << 10},
		{7 << 10, 1, 120 << 10}, {7<<10 + 1, 1, 112 << 10},
	} {
		cfg := testConfig(t, "rtx-a6000")
		cfg.SM.CTAs = c.ctas
		o, err := cfg.CTAs(occupancy.CTA{Threads: 32, Registers: 16, SharedBytes: c.perCTA})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := o.Figure("l1_bytes"); got != c.want || o.CTAs != c.ctas {
			t.Errorf("%d CTAs of %d bytes: an L1 of %d bytes, want %d of them and %d", o.CTAs, c.perCTA, got, c.ctas,
				c.want)
		}
	}
}

// A kernel of 20 registers has 1536 threads resident on an SM, leaving 8 KB. With 8 KB more in the pool the L1 has
// 16 KB, 32 sets of 4, as in the baseline.
func TestAPoolThatLeaves16KBIsTheBaselineToTheCycle(t *testing.T) {
	for _, name := range []string{"bfs", "mum"} {
		run := func(design string, set ...string) []result.Kernel {
			return machinetest.Run(t, config.Request{GPU: "fermi-gto", Design: design, Set: set}, gpus.Options{}, name)
		}
		want := run("", "mem.l1.tags.index=linear")
		bytes := 0
		for _, k := range want {
			bytes = max(bytes, registersOf(t, &k))
		}
		got := run("unified", fmt.Sprintf("onchip.unified.bytes=%d", bytes+16384), "onchip.unified.least_l1=16384")
		uniform := true
		for _, k := range want {
			uniform = uniform && registersOf(t, &k) == bytes
		}
		if uniform {
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s (-baseline +pool):\n%.1500s", name, d)
			}
		} else if d := cmp.Diff(want[0], got[0]); registersOf(t, &want[0]) == bytes && d != "" {
			t.Errorf("%s, first launch (-baseline +pool):\n%.1500s", name, d)
		}
		if small := run("unified", fmt.Sprintf("onchip.unified.bytes=%d", bytes+4096)); cmp.Equal(want, small) {
			t.Errorf("%s: a pool that leaves 4 KB is the baseline", name)
		}
	}
}

// registersOf returns the bytes of registers of a kernel's CTAs on an SM.
func registersOf(t *testing.T, k *result.Kernel) int {
	t.Helper()
	o, err := testConfig(t, "fermi-gto").CTAs(occupancy.CTA{Threads: k.Block[0] * k.Block[1] * k.Block[2],
		Registers: k.RegistersPerThread, SharedBytes: k.SharedBytes})
	if err != nil {
		t.Fatal(err)
	}
	return 131072 - 4*o.RegistersUnused
}

func TestPoolsThatCannotBeAreRefused(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{`onchip.unified.holds=["l1"]`, "onchip.unified.holds: found [l1], expected l1, and registers, shared or both"},
		{`onchip.unified.holds=["l1", "texture"]`, "onchip.unified.holds: found texture"},
		{`onchip.unified.shared_sizes=[8192, 0]`, "onchip.unified.shared_sizes: found [8192 0], expected ascending"},
		{"onchip.unified.shared_sizes=[8192]",
			"onchip.unified.shared_sizes: found [8192], expected ascending numbers of bytes, with shared"},
		{"onchip.unified.least_l1=0", "onchip.unified.least_l1: found 0"},
		{"onchip.unified.bytes=2048", "onchip.unified.bytes: found 2048"},
		{"mem.l1.tags.index=xor", "mem.l1.tags.index: found xor, expected linear with onchip.memory = unified"},
	} {
		if _, err := config.Load(config.Request{GPU: "fermi-gto", Design: "unified",
			Set: []string{c.set}}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.set, err, c.want)
		}
	}
	if _, err := config.Load(config.Request{GPU: "fermi-gto",
		Set: []string{"onchip.unified.bytes=262144"}}); err == nil ||
		!strings.Contains(err.Error(), "has no effect") {
		t.Errorf("a pool that is not there: error %v", err)
	}
	c := machinetest.Config(t, config.Request{GPU: "fermi-gto", Design: "unified",
		Set: []string{"onchip.unified.bytes=65536"}})
	if _, err := c.CTAs(occupancy.CTA{Threads: 256, Registers: 20}); err == nil ||
		!strings.Contains(err.Error(),
			"onchip.unified.bytes: found 65536, expected at least the 122880 bytes that the 6 resident CTAs take") {
		t.Errorf("a pool smaller than a launch needs: error %v", err)
	}
}

// A pool with admits limits registers and shared memory together: 400 KB less the 16 KB of the L1 are 393216 bytes.
func TestAPoolThatAdmitsBoundsRegistersAndSharedMemoryTogether(t *testing.T) {
	for _, x := range []struct {
		design      string
		cta         occupancy.CTA
		ctas, bytes int
		limit       string
	}{
		{"um", occupancy.CTA{Threads: 256, Registers: 16}, 8, 409600 - 8*16384, "threads"},
		{"um", occupancy.CTA{Threads: 256, Registers: 64}, 6, 16384, "registers"}, // 64 KB each
		{"um", occupancy.CTA{Threads: 256, Registers: 60}, 6, 409600 - 6*61440, "registers"},
		// 64 KB each
		{"um", occupancy.CTA{Threads: 256, Registers: 32, SharedBytes: 32768}, 6, 16384, "pool"},
		// 52 KB each
		{"um", occupancy.CTA{Threads: 64, Registers: 16, SharedBytes: 49152}, 7, 409600 - 7*53248, "pool"},
		{"virtual-thread-um", occupancy.CTA{Threads: 256, Registers: 16}, 24, 16384, "registers"},
		{"virtual-thread-um", occupancy.CTA{Threads: 256, Registers: 16, SharedBytes: 2048}, 21, 409600 - 21*18432,
			"pool"},
		{"virtual-thread-um", occupancy.CTA{Threads: 64, Registers: 4}, 128, 409600 - 128*1024, "ctas"},
	} {
		c := machinetest.Config(t, config.Request{GPU: "gtx980", Design: x.design})
		o, err := c.CTAs(x.cta)
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := o.Figure("l1_bytes"); o.CTAs != x.ctas || n != x.bytes/1024*1024 || o.Limit != x.limit {
			t.Errorf("%s, %+v: %d CTAs by %s and an L1 of %d bytes, want %d by %s and %d", x.design, x.cta, o.CTAs,
				o.Limit, n, x.ctas, x.limit, x.bytes)
		}
	}
}

// Every operand is right in every application, with the pool divided anew by each launch, and as many CTAs are
// resident as in the baseline.
func TestEveryApplicationIsRightInAPool(t *testing.T) {
	settings := [][]string{nil, {"onchip.unified.least_l1=512"}, {`onchip.unified.holds=["registers", "shared", "l1"]`,
		"onchip.unified.bytes=196608"}, {"mem.l1.write=back"}}
	for i, a := range machinetest.Part(5, benchmarks.List()) {
		set := settings[i%len(settings)]
		run := func(design string, set ...string) result.Total {
			return result.Sum(machinetest.Run(t, config.Request{GPU: "fermi-gto", Design: design, Set: set},
				gpus.Options{}, a.Name))
		}
		base, k := run(""), run("unified", set...)
		if k.WarpInstructions != base.WarpInstructions || k.CTAsResidentMax != base.CTAsResidentMax {
			t.Errorf("%s, %v: %d instructions, %d CTAs resident, want %d and %d", a.Name, set, k.WarpInstructions,
				k.CTAsResidentMax, base.WarpInstructions, base.CTAsResidentMax)
		}
	}
}
