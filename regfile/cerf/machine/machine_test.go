package machine_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
	"kumiko/gpus/timeline"
)

// issuesToStore lists the instructions issued by schedulers up to and including the first store.
func issuesToStore(log *timeline.Konata) (list []string) {
	for _, x := range log.Instructions(math.MaxUint64) {
		list = append(list, fmt.Sprintf("%d: warp %d, %s", x.Begin[0], x.Warp, x.Text))
		if strings.Contains(x.Text, "st.global") {
			break
		}
	}
	return list
}

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
	return machinetest.Text("", b.String()+"st.global.f32 [%rd3], %f0;\nret;\n")
}

// With every register present, either policy behaves like a conventional file with a stage before its arbiter: to
// the cycle, up to the store, and in all counts of banks. The crossbar is wide enough never to block a bank, since
// only an arbiter directly in front of a bank learns at once of a blocked bank.
func TestWithoutMissesAnEmulatedFileIsAConventionalOneWithAStage(t *testing.T) {
	for _, x := range []struct{ registers, ctas, threads int }{{8, 3, 512}, {24, 4, 256}, {50, 2, 256}} {
		run := func(set ...string) ([]string, result.Kernel) {
			rec, err := timeline.New(nil, 0, 0, math.MaxUint64)
			if err != nil {
				t.Fatal(err)
			}
			log := timeline.NewKonata(io.Discard)
			rec.Log(log)
			m := machinetest.GPU(t, "fermi-gto", gpus.Options{Check: true, Timeline: rec},
				append([]string{"sm.count=1", "regfile.conventional.bank_index=linear",
					"regfile.conventional.crossbar_output=4"}, set...)...)
			err = machinetest.Launch(t, m, lastStore(x.registers, 6), x.ctas, x.threads, 0)
			if err = errors.Join(err, rec.Close(nil)); err != nil {
				t.Fatal(err)
			}
			return issuesToStore(log), m.Results()[0]
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

// run runs an application under a preset, on two SMs.
func run(t *testing.T, name, design string, set ...string) result.Total {
	t.Helper()
	return result.Sum(machinetest.Run(t, config.Request{GPU: "fermi-gto", Design: design, Set: set}, gpus.Options{},
		name))
}

var settings = [][]string{
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
		base := run(t, a.Name, "")
		set := settings[i%len(settings)]
		fair := []string{"regfile.cerf.lanes=mask"}
		if i/len(settings)%2 == 0 {
			fair = nil
		}
		f := run(t, a.Name, "cerf-fair", append(fair, set...)...)
		p := run(t, a.Name, "cerf-prioritized", set...)
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

func TestAnEmulatedFileDoesNotDependOnTickOrderOrWorkers(t *testing.T) {
	for _, design := range []string{"cerf-fair", "cerf-prioritized"} {
		machinetest.InAnyOrder(t, "mum", func(o gpus.Options) *gpus.Machine {
			return machinetest.New(t, config.Request{GPU: "fermi-gto", Design: design,
				Set: []string{"sm.count=2", "regfile.cerf.ways=1"}}, o)
		})
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
		bits := 0
		for _, s := range machinetest.New(t, config.Request{GPU: "fermi-gto", Design: "cerf-fair", Set: x.set},
			gpus.Options{}).Storage() {
			if !s.Apart {
				bits += s.Bits
			}
		}
		if bits != x.bits {
			t.Errorf("%v: %d bits, want %d", x.set, bits, x.bits)
		}
	}
}

func TestARegisterFileThatIsTheL1TellsOfNoMisses(t *testing.T) {
	_, err := config.Load(config.Request{GPU: "fermi-gto", Design: "cerf-fair", Set: []string{"sched.policy=two-level",
		"sched.suspend_on=miss"}})
	if want := "sched.suspend_on: found miss, expected use, with regfile.kind = cerf"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %q", err, want)
	}
}

// crowded is a loop of n rounds. In each round a CTA loads and stores lines one set apart, so that registers and
// lines evict each other in a small memory.
func crowded(n int) string {
	var b strings.Builder
	for i := range 8 {
		fmt.Fprintf(&b, "ld.global.f32 %%f2, [%%rd4+%d];\n add.f32 %%f1, %%f1, %%f2;\n", 32768*i)
	}
	return machinetest.Text("",
		machinetest.Lanes(1<<15)+fmt.Sprintf("mov.u32 %%r5, %d;\n mov.f32 %%f1, 0f00000000;\nL:\n", n)+b.String()+
			"st.global.f32 [%rd4+262144], %f1;\n add.u32 %r5, %r5, -1;\n setp.ne.u32 %p2, %r5, 0;\n @%p2 bra "+
			"L;\n"+machinetest.Finish)
}

// Registers and lines in one memory evict each other.
func TestAnEmulatedFileAllocatesNothingPerInstruction(t *testing.T) {
	for policy, gone := range map[string]string{"lru-fair": "regfile.cerf.spills",
		"lru-prioritized": "regfile.cerf.died"} {
		m := machinetest.AllocateNothing(t, func() *gpus.Machine {
			return machinetest.GPU(t, "fermi-gto", gpus.Options{}, "sm.count=4", "regfile.kind=cerf",
				"onchip.memory=cerf",
				"regfile.conventional.bank_index=linear", "regfile.cerf.ways=1", "regfile.cerf.policy="+policy)
		}, crowded, 30, 8, 20)
		s := m.Results()[1].Stats
		for _, name := range []string{gone, "regfile.cerf.write_backs", "regfile.cerf.replaced.line_by_line",
			"regfile.cerf.replaced.line_by_register"} {
			if s[name] == 0 {
				t.Errorf("%s: no %s: the run shows little", policy, name)
			}
		}
	}
}
