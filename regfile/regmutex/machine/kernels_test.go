package machine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/stop"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/contracttest"
	"kumiko/regfile/regmutex"
	"kumiko/sm/occupancy"
)

func load(t machinetest.T, set ...string) *gpus.Machine {
	t.Helper()
	return machinetest.New(t, config.Request{GPU: "gtx980", Design: "regmutex-vt",
		Set: append([]string{"sm.count=1"}, set...)}, gpus.Options{Check: true})
}

// Random kernels with barriers and loads, in CTAs of one to five warps, with few sections, with and without CTA
// switching. Warps reach their extended set at different times. All kernels end, and every operand is right.
func TestRandomKernelsEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("whole kernels")
	}
	runs, waited, switches := 0, uint64(0), uint64(0)
	rapid.Check(t, func(t *rapid.T) {
		var parts []machinetest.Stage
		for range rapid.IntRange(1, 5).Draw(t, "stages") {
			s := machinetest.Stage{Live: rapid.IntRange(0, 14).Draw(t, "live"), Load: rapid.Bool().Draw(t, "load"),
				Again: rapid.Bool().Draw(t, "again"), Barrier: rapid.Bool().Draw(t, "barrier")}
			for k := range s.Delay {
				s.Delay[k] = rapid.SampledFrom([]int{0, 0, 20, 100}).Draw(t, "delay")
			}
			parts = append(parts, s)
		}
		const registers = 20
		warps := rapid.IntRange(1, 5).Draw(t, "warps")
		set := []string{
			fmt.Sprintf("sm.registers=%d", 32*max(warps, 4)*registers*rapid.IntRange(11, 40).Draw(t,
				"capacity")/10/32*32),
			fmt.Sprintf("regfile.regmutex.base=%v", float64(rapid.IntRange(30, 95).Draw(t, "base"))/100),
			fmt.Sprintf("regfile.regmutex.pool=%v", float64(rapid.IntRange(0, 60).Draw(t, "pool"))/100),
			fmt.Sprintf("sm.warps=%d", 4*rapid.IntRange(2, 4).Draw(t, "slots")),
			"sched.policy=" + rapid.SampledFrom([]string{"lrr", "gto", "oldest"}).Draw(t, "policy"),
			fmt.Sprintf("cta.prefer_new=%v", rapid.Bool().Draw(t, "prefer new")),
		}
		m := load(t, set...)
		if err := machinetest.Launch(t, m, machinetest.Stages(parts), rapid.IntRange(2, 24).Draw(t, "CTAs"), 32*warps,
			registers); err != nil {
			if strings.Contains(err.Error(), "a CTA needs") {
				t.Skip(err)
			}
			t.Fatalf("%v: %v", set, err)
		}
		runs++
		s := m.Results()[0].Stats
		waited += s["regfile.regmutex.grants"] - s["regfile.regmutex.at_once"]
		switches += s["switch.switches"]
	})
	t.Logf("%d runs, %d warps waited for a section, %d switches", runs, waited, switches)
	if few := uint64(runs / 4); runs < 10 || waited < few || switches < few {
		t.Errorf("%d runs, %d warps waited for a section, %d switches: too few to show anything", runs, waited,
			switches)
	}
}

// There are sections for one CTA only. It waits for memory while holding them, loses its slots to other CTAs in
// need of sections, and gets its slots back from them.
func TestACTAHoldingSectionsGetsItsSlotsBackFromWaitingCTAs(t *testing.T) {
	for _, warps := range []int{1, 2, 3, 4, 6} {
		m := load(t, "sm.warps=8", "sm.registers=8192", "regfile.regmutex.base=0.4", "regfile.regmutex.pool=0")
		if err := machinetest.Launch(t, m, machinetest.Stages([]machinetest.Stage{{Live: 14, Load: true, Again: true},
			{Live: 14, Again: true}}), 24, 32*warps, 20); err != nil {
			t.Fatalf("%d warps: %v", warps, err)
		}
		if s := m.Results()[0].Stats; s["switch.in.parked"] == 0 ||
			s["regfile.regmutex.grants"] == s["regfile.regmutex.at_once"] {
			t.Errorf("%d warps: %d CTAs came back, %d of %d sections were given at once: nothing is shown", warps,
				s["switch.in.parked"], s["regfile.regmutex.at_once"], s["regfile.regmutex.grants"])
		}
	}
}

// fault registers a kind with files modified by build.
func fault(name string, build func(*regmutex.File) regfile.Design) {
	k, err := regfile.Find("regmutex")
	if err != nil {
		panic(err)
	}
	k.Variant("regmutex-"+name, "for tests: "+name, func(env *regfile.Env,
		s *regfile.Settings) (regfile.Design, error) {
		f, err := s.Build(env)
		if err != nil {
			return nil, err
		}
		return build(f.(*regmutex.File)), nil
	}).Register()
}

// hasty gives sections up while operations on them are under way.
type hasty struct{ *regmutex.File }

func (hasty) Vacates(*ir.Inst) int { return regfile.NumRegisters }

func init() {
	fault("none", func(f *regmutex.File) regfile.Design { return f })
	fault("hasty", func(f *regmutex.File) regfile.Design { return hasty{f} })
}

// dropped is a kernel whose even-numbered CTAs leave the live range of their loaded values before the values
// arrive.
var dropped = machinetest.WarpText(func() string {
	var b strings.Builder
	for r := range 12 {
		fmt.Fprintf(&b, "ld.global.u32 %%r%d, [%%rd2+%d];\n", 20+r, 4096*r)
	}
	b.WriteString("and.b32 %r7, %r3, 1; setp.ne.u32 %p1, %r7, 0; mov.u32 %r6, 0; @%p1 bra USE;\n")
	for r := range 12 {
		fmt.Fprintf(&b, "mad.lo.u32 %%r6, %%r6, %d, %%r1;\n", 3+r)
	}
	b.WriteString("bra END;\nUSE:\n")
	for r := range 12 {
		fmt.Fprintf(&b, "mad.lo.u32 %%r6, %%r6, %%r%d, %%r1;\n", 20+r)
	}
	b.WriteString("END: st.global.u32 [%rd2], %r6;\n")
	return b.String()
}())

// The operand check finds a section passed on while operations of its previous holder are in flight.
func TestSectionsPassedOnTooEarlyAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("whole kernels")
	}
	many := machinetest.Stages([]machinetest.Stage{{Live: 12, Load: true}, {Live: 14}, {Live: 10, Load: true},
		{Live: 14}})
	for name, found := range map[string]bool{"none": false, "hasty": true} {
		n := 0
		for _, base := range []string{"0.3", "0.45", "0.6"} {
			for _, text := range []string{many, dropped} {
				kind := "regmutex-" + name
				m := machinetest.New(t, config.Request{GPU: "gtx980",
					Set: []string{"sm.count=1", "cta.switching=virtual-thread", "sm.warps=32", "sm.registers=8192",
						"regfile.kind=" + kind,
						"regfile." + kind + ".base=" + base, "regfile." + kind + ".pool=0",
						"regfile.conventional.collectors=1", "regfile.conventional.bank_ports=1rw",
						"regfile.conventional.banks=4"}}, gpus.Options{Check: true})
				var stop *stop.Error
				switch err := machinetest.Launch(t, m, text, 24, 128, 20); {
				case errors.As(err, &stop) && stop.Check:
					n++
				case err != nil:
					t.Fatalf("%s: %v", name, err)
				}
			}
		}
		if (n > 0) != found {
			t.Errorf("%s: found in %d of 6 runs", name, n)
		}
	}
}

func TestTwoLevelSchedulersAreRefused(t *testing.T) {
	cfg := machinetest.Config(t, config.Request{GPU: "gtx980", Set: []string{"regfile.kind=regmutex",
		"sched.policy=two-level",
		"sched.active=8"}})
	if _, err := cfg.CTAs(occupancy.CTA{Threads: 256, Registers: 64}); err == nil ||
		!strings.Contains(err.Error(), "8 active warps may all wait for sections") {
		t.Errorf("error %v", err)
	}
	for _, set := range []string{"regfile.regmutex.base=0", "regfile.regmutex.base=1.1", "regfile.regmutex.pool=1"} {
		if _, err := config.Load(config.Request{GPU: "gtx980", Design: "regmutex-vt",
			Set: []string{set}}); err == nil ||
			!strings.Contains(err.Error(), "expected") {
			t.Errorf("%s: error %v", set, err)
		}
	}
}

func TestTheDataPlaneKeepsTheContract(t *testing.T) {
	k, err := regfile.Find("regmutex")
	if err != nil {
		t.Fatal(err)
	}
	contracttest.Contract(t, k, nil)
}
