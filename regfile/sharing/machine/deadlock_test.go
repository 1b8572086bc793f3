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
	"kumiko/regfile/sharing"
)

// crossed is figure 5: in CTA 0 warp 0, in CTA 1 warp 1 comes first to its shared
// registers, and each then waits at a barrier for the other warp of its CTA.
var crossed = machinetest.Stages([]machinetest.Stage{{Delay: [8]int{0: 0, 1: 300, 2: 300, 3: 0}, Load: true, Live: 10,
	Barrier: true}})

// pairOf has space for one CTA of 64 threads and 20 registers and for 0.7 of another: one pair. Ten of the
// registers are private, enough for the delays.
var pairOf = []string{"sm.count=1", "sm.registers=2176", "regfile.threshold=0.5"}

func TestWithoutTheDeadlockRuleTwoCTAsWaitForEachOther(t *testing.T) {
	m := machine(t, "sharing-unroll", gpus.Options{Check: true},
		append(pairOf, "regfile.sharing.deadlock_rule=false")...)
	err := machinetest.Launch(t, m, crossed, 2, 64, 20)
	var stop *stop.Error
	if !errors.As(err, &stop) || stop.Check || !strings.Contains(stop.Reason, "deadlock") {
		t.Fatalf("error %v, want a deadlock", err)
	}
	report := strings.Join(stop.Report, "\n")
	for _, want := range []string{
		"GPU.SM[0].RegFile.Locks: warp 1 waits for lock 1 of pair 0, which warp 3 holds; warp 2 waits for lock 0 of " +
			"pair 0, which warp 0 holds",
		"gate lock holds it", "at a barrier",
	} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
}

// With dynamic warp execution a block of each SM wakes as long as there are warps; the watchdog ends the run. CTAs
// are dealt to two SMs in turn, so the kernel drops the lowest bit of the CTA number.
func TestADeadlockIsSeenWhileTheThrottleGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("whole kernels")
	}
	m := machine(t, "sharing-unroll-dyn", gpus.Options{Check: true}, append(pairOf, "sm.count=2",
		"regfile.sharing.deadlock_rule=false")...)
	err := machinetest.Launch(t, m, strings.Replace(crossed, "mov.u32 %r3, %ctaid.x;",
		"mov.u32 %r3, %ctaid.x; shr.u32 %r3, %r3, 1;", 1), 4, 64, 20)
	var stop *stop.Error
	if !errors.As(err, &stop) || !strings.Contains(strings.Join(stop.Report, "\n"),
		"RegFile.Locks: warp 1 waits for lock 1 of pair 0") {
		t.Fatalf("error %v, want a deadlock", err)
	}
}

func TestWithTheDeadlockRuleTheyEnd(t *testing.T) {
	m := machine(t, "sharing-unroll", gpus.Options{Check: true}, pairOf...)
	if err := machinetest.Launch(t, m, crossed, 2, 64, 20); err != nil {
		t.Fatal(err)
	}
	r := m.Results()[0]
	if r.Stats["regfile.sharing.lock_refused_rule"] == 0 || r.IssueSlots["lock"] == 0 || r.CTAsResidentMax != 2 {
		t.Errorf("the rule refused nothing: %+v, %v", r.CTAsResidentMax, r.IssueSlots)
	}
}

// Random kernels with barriers, with warps reaching their shared registers at different times: with the rule they
// end, at any threshold and under any policy; without it some do not.
func TestRandomKernelsWithBarriersNeverDeadlock(t *testing.T) {
	if testing.Short() {
		t.Skip("whole kernels")
	}
	dead, runs := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var parts []machinetest.Stage
		for range rapid.IntRange(1, 4).Draw(t, "stages") {
			s := machinetest.Stage{Live: rapid.IntRange(0, 14).Draw(t, "live"), Load: rapid.Bool().Draw(t, "load"),
				Barrier: rapid.IntRange(0, 3).Draw(t, "barrier") > 0}
			for k := range s.Delay {
				s.Delay[k] = rapid.SampledFrom([]int{0, 0, 20, 100}).Draw(t, "delay")
			}
			parts = append(parts, s)
		}
		warps := rapid.IntRange(1, 4).Draw(t, "warps")
		const registers = 20
		percent := rapid.IntRange(0, 60).Draw(t, "threshold")
		set := []string{
			"sm.count=1", fmt.Sprintf("sm.registers=%d", warps*32*registers*rapid.IntRange(16, 39).Draw(t,
				"capacity")/10/32*32),
			fmt.Sprintf("regfile.threshold=%v", float64(percent)/100),
			"sched.policy=" + rapid.SampledFrom([]string{"lrr", "gto", "oldest", "fetch-group"}).Draw(t, "policy"),
			fmt.Sprintf("regfile.sharing.owner_first=%v", rapid.Bool().Draw(t, "owner first")),
			fmt.Sprintf("regfile.sharing.reorder=%v", rapid.Bool().Draw(t, "reorder")),
		}
		var dynamic []string
		if rapid.Bool().Draw(t, "dynamic") {
			set = append(set, "sm.count=2")
			dynamic = []string{"regfile.sharing.dynamic=true", "regfile.sharing.window=64"}
		}
		code, ctas := machinetest.Stages(parts), rapid.IntRange(2, 12).Draw(t, "CTAs")
		if err := machinetest.Launch(t, machine(t, "sharing", gpus.Options{Check: true}, append(dynamic, set...)...),
			code,
			ctas, 32*warps, registers); err != nil {
			t.Fatalf("%v %v: %v", set, dynamic, err)
		}
		runs++
		if dead > 2 {
			return
		}
		var stop *stop.Error
		if set = append(set, "regfile.sharing.deadlock_rule=false"); errors.As(machinetest.Launch(t, machine(t,
			"sharing",
			gpus.Options{Check: true}, set...), code,
			ctas, 32*warps, registers), &stop) {
			dead++
		}
	})
	if dead == 0 {
		t.Errorf("none of %d kernels deadlocks without the rule: the test shows nothing", runs)
	}
}

// unlocked holds no instruction back, whoever has the lock of the registers that it names.
type unlocked struct{ *sharing.File }

func (u unlocked) Gates() []regfile.Gate {
	gates := u.File.Gates()
	for i := range gates {
		gates[i].Holds = func(*ir.Inst) bool { return false }
	}
	return gates
}

func init() {
	k, err := regfile.Find("sharing")
	if err != nil {
		panic(err)
	}
	k.Variant("sharing-broken", "for tests: locks that hold nothing back", func(env *regfile.Env,
		s *regfile.Settings) (regfile.Design, error) {
		f, err := s.Build(env)
		if err != nil {
			return nil, err
		}
		return unlocked{f.(*sharing.File)}, nil
	}).Register()
}

// Two warps using their common registers at once destroy each other's values, and the operand check names the
// place.
func TestLocksThatDoNotLockAreCaughtByTheOperandCheck(t *testing.T) {
	// The broken kind has settings of its own.
	set := append([]string{"regfile.kind=sharing-broken", "regfile.sharing-broken.threshold=0.5",
		"regfile.sharing-broken.reorder=true"}, pairOf[:2]...)
	err := machinetest.Launch(t, machine(t, "", gpus.Options{Check: true}, set...),
		machinetest.Stages([]machinetest.Stage{{Live: 10, Load: true}, {Live: 10}}), 4, 64, 20)
	var stop *stop.Error
	if !errors.As(err, &stop) || !stop.Check || !strings.Contains(stop.Reason, "RegFile.SubCore[0].Collectors") {
		t.Fatalf("error %v, want one of the operand check", err)
	}
}

// Eight active warps, all possibly waiting for inactive ones.
func TestSharingUnderATwoLevelSchedulerIsRefused(t *testing.T) {
	set := append([]string{"sched.policy=two-level"}, pairOf...)
	err := machinetest.Launch(t, machine(t, "sharing", gpus.Options{}, set...), crossed, 2, 64, 20)
	if err == nil || !strings.Contains(err.Error(), "8 active warps may all wait for locks") {
		t.Errorf("error %v", err)
	}
	if err := machinetest.Launch(t, machine(t, "sharing", gpus.Options{}, append(set, "regfile.threshold=1")...),
		crossed, 2,
		64, 20); err != nil {
		t.Errorf("refused although nothing is shared: %v", err)
	}
}

func TestDynamicWarpExecutionOnOneSMIsRefused(t *testing.T) {
	cfg := machinetest.Config(t, config.Request{GPU: "tesla-c2050", Design: "sharing-owf",
		Set: []string{"slice.sms=1"}})
	_, err := gpus.New(cfg, gpus.Options{})
	if err == nil || !strings.Contains(err.Error(), "regfile.sharing.dynamic: found true, expected false with one SM") {
		t.Errorf("error %v", err)
	}
}
