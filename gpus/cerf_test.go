package gpus

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/benchmarks/benchtest"
	"kumiko/gpus/config"
	"kumiko/gpus/result"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/sm/message"
	"kumiko/sm/reason"
)

// issues records the instructions issued by schedulers up to and including the first store.
type issues struct {
	list   []string
	stored bool
}

func (o *issues) Issued(now uint64, f *message.Fetched, _ uint32) {
	if !o.stored {
		o.list = append(o.list, fmt.Sprintf("%d: warp %d, instruction %d", now, f.Warp, f.PC))
	}
	o.stored = o.stored || f.Inst.Op == ir.OpSt
}

func (*issues) States(uint64, int, *[reason.Num]uint64, []uint16, int, reason.Reason) {}
func (*issues) Pending(uint64, uint16, bool)                                          {}

// lastStore is a kernel with many registers and only one memory instruction, a store at its end. All registers are
// written before being read.
func lastStore(registers, rounds int) string {
	var b strings.Builder
	b.WriteString("cvt.rn.f32.u32 %f0, %r1;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n")
	for i := 1; i < registers; i++ {
		fmt.Fprintf(&b, "add.f32 %%f%d, %%f%d, 0f3F800000;\n", i, i-1)
	}
	for range rounds {
		for i := 1; i < registers; i++ {
			fmt.Fprintf(&b, "fma.rn.f32 %%f%d, %%f%d, %%f%d, %%f%d;\n", i, i, (i+3)%registers, (i+7)%registers)
		}
	}
	for i := 1; i < registers; i++ {
		fmt.Fprintf(&b, "add.f32 %%f0, %%f0, %%f%d;\n", i)
	}
	return kernelText("", b.String()+"st.global.f32 [%rd3], %f0;\nret;\n")
}

// With every register present, either policy behaves like a conventional file with a stage before its arbiter: to
// the cycle, up to the store, and in all counts of banks. The crossbar is wide enough never to block a bank, since
// only an arbiter directly in front of a bank learns at once of a blocked bank.
func TestWithoutMissesAnEmulatedFileIsAConventionalOneWithAStage(t *testing.T) {
	for _, x := range []struct{ registers, ctas, threads int }{{8, 3, 512}, {24, 4, 256}, {50, 2, 256}} {
		run := func(set ...string) ([]string, result.Kernel) {
			m := testMachine(t, "fermi-gto", Options{Check: true},
				append([]string{"sm.count=1", "regfile.conventional.bank_index=linear",
					"regfile.conventional.crossbar_output=4"}, set...)...)
			o := &issues{}
			m.chip.SMs[0].Observe(o)
			buf := m.Memory().Alloc("p", 1<<20)
			l := &host.Launch{Module: parse(t, lastStore(x.registers, 6)), Kernel: "k", Grid: [3]int{x.ctas, 1, 1},
				Block: [3]int{x.threads, 1, 1}, Args: []host.Arg{host.U64(buf)}}
			if err := m.Launch(l); err != nil {
				t.Fatal(err)
			}
			return o.list, m.Results()[0]
		}
		list, want := run("regfile.conventional.operand_stages=1")
		for _, policy := range []string{"lru-fair", "lru-prioritized"} {
			other, k := run("regfile.kind=cerf", "onchip.memory=cerf", "regfile.cerf.store=evict",
				"regfile.cerf.policy="+policy)
			if len(list) < 1000 {
				t.Fatalf("only %d instructions", len(list))
			}
			if d := cmp.Diff(list, other); d != "" {
				t.Errorf("%+v, %s (-stage +cerf):\n%.1500s", x, policy, d)
			}
			for name, n := range want.Stats {
				if strings.HasPrefix(name, "regfile.bank.") && k.Stats[name] != n {
					t.Errorf("%+v, %s: %s is %d, want %d", x, policy, name, k.Stats[name], n)
				}
			}
			if k.Stats["regfile.cerf.refetches"]+k.Stats["regfile.cerf.spills"] != 0 {
				t.Errorf("%+v, %s: registers went and came", x, policy)
			}
		}
	}
}

// cerfRun runs an application under a preset, on two SMs.
func cerfRun(t *testing.T, name, design string, opt Options, prepare func(*machine), set ...string) []result.Kernel {
	t.Helper()
	c, err := config.Load(config.Request{GPU: "fermi-gto", Design: design, Set: append([]string{"sm.count=2"}, set...)})
	if err != nil {
		t.Fatal(err)
	}
	m, err := build(c, opt)
	if err != nil {
		t.Fatal(err)
	}
	if prepare != nil {
		prepare(m)
	}
	benchtest.On(t, m, name)
	return m.Results()
}

var cerfSettings = [][]string{
	nil,
	{"regfile.cerf.ways=2"},
	{"regfile.cerf.ways=8"},
	{"regfile.cerf.ways=1", "regfile.cerf.store=evict"},
}

// Every operand is right in every application. Registers are spilled and restored under lru-fair, and never under
// lru-prioritized. As many CTAs are resident as in the baseline.
func TestEveryApplicationIsRightInAnEmulatedFile(t *testing.T) {
	if testing.Short() {
		t.Skip("make check runs this test")
	}
	var spills, refetches, died, merges uint64
	for i, a := range benchmarks.List() {
		base := result.Sum(cerfRun(t, a.Name, "", Options{}, nil))
		set := cerfSettings[i%len(cerfSettings)]
		fair := []string{"regfile.cerf.lanes=mask"}
		if i/len(cerfSettings)%2 == 0 {
			fair = nil
		}
		f := result.Sum(cerfRun(t, a.Name, "cerf-fair", Options{Check: true}, nil, append(fair, set...)...))
		p := result.Sum(cerfRun(t, a.Name, "cerf-prioritized", Options{Check: true}, nil, set...))
		for _, k := range []result.Total{f, p} {
			if k.WarpInstructions != base.WarpInstructions || k.CTAsResidentMax != base.CTAsResidentMax {
				t.Errorf("%s, %v: %d instructions, %d CTAs resident, want %d and %d", a.Name, set, k.WarpInstructions,
					k.CTAsResidentMax, base.WarpInstructions, base.CTAsResidentMax)
			}
			r, w := k.Stats["regfile.cerf.reads"], k.Stats["regfile.cerf.writes"]
			if r != k.Stats["regfile.collector.operands"]-k.Stats["regfile.bypass.captures"] ||
				w != k.Stats["regfile.writeback.writes"] {
				t.Errorf("%s, %v: %d operands and %d results looked up, of %d and %d", a.Name, set, r, w,
					k.Stats["regfile.collector.operands"], k.Stats["regfile.writeback.writes"])
			}
		}
		if p.Stats["regfile.cerf.spills"]+p.Stats["regfile.cerf.refetches"]+p.Stats["mem.l2.accesses.spill"] != 0 {
			t.Errorf("%s: registers went and came under lru-prioritized", a.Name)
		}
		if in := f.Stats["mem.l1.bytes_in.spill"]; in != 128*f.Stats["regfile.cerf.refetches"] {
			t.Errorf("%s: %d bytes of registers came back, want those of %d", a.Name, in,
				f.Stats["regfile.cerf.refetches"])
		}
		spills += f.Stats["regfile.cerf.spills"]
		refetches += f.Stats["regfile.cerf.refetches"]
		merges += f.Stats["regfile.cerf.merges"]
		died += p.Stats["regfile.cerf.died"]
	}
	if spills == 0 || refetches <= merges || died == 0 {
		t.Errorf("%d spills, %d refetches of which %d are merges, %d deaths: nothing was shown", spills, refetches,
			merges, died)
	}
}

// Every operand is right in every application, with the pool divided anew by each launch, and as many CTAs are
// resident as in the baseline.
func TestEveryApplicationIsRightInAPool(t *testing.T) {
	settings := [][]string{nil, {"onchip.unified.least_l1=512"}, {`onchip.unified.holds=["registers", "shared", "l1"]`,
		"onchip.unified.bytes=196608"}, {"mem.l1.write=back"}}
	for i, a := range benchmarks.List() {
		set := settings[i%len(settings)]
		base := result.Sum(cerfRun(t, a.Name, "", Options{}, nil))
		k := result.Sum(cerfRun(t, a.Name, "unified", Options{Check: true}, nil, set...))
		if k.WarpInstructions != base.WarpInstructions || k.CTAsResidentMax != base.CTAsResidentMax {
			t.Errorf("%s, %v: %d instructions, %d CTAs resident, want %d and %d", a.Name, set, k.WarpInstructions,
				k.CTAsResidentMax, base.WarpInstructions, base.CTAsResidentMax)
		}
	}
}

func TestAnEmulatedFileDoesNotDependOnTickOrderOrWorkers(t *testing.T) {
	for _, design := range []string{"cerf-fair", "cerf-prioritized"} {
		want := cerfRun(t, "mum", design, Options{}, nil, "regfile.cerf.ways=1")
		for seed := range uint64(2) {
			if d := cmp.Diff(want, cerfRun(t, "mum", design, Options{Workers: 1 + int(seed)},
				func(m *machine) { shuffleTicks(m, seed) }, "regfile.cerf.ways=1")); d != "" {
				t.Errorf("%s, seed %d (-construction order +shuffled):\n%.1500s", design, seed, d)
			}
		}
	}
}

// 1048576 bits of data and 1024 tags of 17 bits with 2 bits of state are 130.375 KB (section III.E). With twice the
// ways a tag has one more bit.
func TestAnEmulatedFileHasThePapersStorage(t *testing.T) {
	for _, x := range []struct {
		set  []string
		bits int
	}{
		{nil, 1068032},
		{[]string{"regfile.cerf.ways=8"}, 1068032 + 1024},
		{[]string{"regfile.cerf.ways=2"}, 1068032 - 1024},
		{[]string{"regfile.cerf.bytes=262144", "sm.registers=65536"}, 2*1048576 + 2048*(16+2)},
		{[]string{"regfile.cerf.bytes=65536", "sm.registers=16384"}, 1048576/2 + 512*(18+2)},
	} {
		c, err := config.Load(config.Request{GPU: "fermi-gto", Design: "cerf-fair", Set: x.set})
		if err != nil {
			t.Fatal(err)
		}
		m, err := build(c, Options{})
		if err != nil {
			t.Fatal(err)
		}
		bits := 0
		for _, s := range m.Storage() {
			if !s.Apart {
				bits += s.Bits
			}
		}
		if bits != x.bits {
			t.Errorf("%v: %d bits, want %d", x.set, bits, x.bits)
		}
	}
}
