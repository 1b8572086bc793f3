package sm

import (
	"strings"
	"testing"

	"kumiko/components/spec/spectest"
	"kumiko/kernel/ir"
	"kumiko/sm/execute"
	"kumiko/sm/message"
	"kumiko/sm/sched"
	"kumiko/sm/switching"
)

func soundSpec() Spec { return *testSpec() }

// soundOf is a sound SM of so many schedulers, with an arithmetic unit for each.
func soundOf(schedulers int) func() Spec {
	return func() Spec {
		s := soundSpec()
		s.Schedulers, s.Warps = schedulers, 32
		u := s.Units["alu"]
		u.Count = schedulers
		s.Units["alu"] = u
		return s
	}
}

// unit changes a kind of execution unit.
func unit(s *Spec, name string, change func(*execute.UnitSpec)) {
	u := s.Units[name]
	change(&u)
	s.Units[name] = u
}

func TestTheSettingsOfAnSMHaveBounds(t *testing.T) {
	x := spectest.Of(t, soundSpec, (*Spec).Reconcile)
	x.Taken(func(s *Spec) { s.Threads = message.MaxWarps * lanes })
	x.Within("sched.suspend_after", 0, 1000000, func(s *Spec, v int) { s.Scheduler.SuspendAfter = v })
	x.Within("sched.group", 1, 64, func(s *Spec, v int) {
		s.Scheduler = sched.Spec{Policy: sched.FetchGroup, Group: v}
	})
	x.Within("units.alu.count", 1, 64, func(s *Spec, v int) {
		unit(s, "alu", func(u *execute.UnitSpec) { u.Count = v })
	})
	x.Refused("schedulers", func(s *Spec) { s.Schedulers = message.MaxSchedulers + 1 })
	x.Refused("warps", func(s *Spec) { s.Warps = message.MaxWarps + 1 })
	x.Taken(func(s *Spec) { s.Fetch.Resolve = "execute" })
	x.Refused("fetch.resolve", func(s *Spec) { s.Fetch.Resolve = "decode" })
	x.Taken(func(s *Spec) { s.Scheduler.SuspendOn = "use" })
	x.Taken(func(s *Spec) { s.Scheduler.SuspendOn = "miss" })
	x.Refused("sched.suspend_on", func(s *Spec) { s.Scheduler.SuspendOn = "hit" })
}

func TestASchedulerHasOneTo64Warps(t *testing.T) {
	x := spectest.Of(t, soundOf(4), (*Spec).Reconcile)
	x.Within("warps", 4, 256, func(s *Spec, v int) { s.Warps = v })
	s := soundOf(4)()
	s.Warps = 257
	if err := s.Reconcile(); err == nil || !strings.Contains(err.Error(), "1 to 64 per scheduler: 4 to 256") {
		t.Errorf("error %v, want one that says how many", err)
	}
}

func TestContextsAreAsManyAsSlotsOrMore(t *testing.T) {
	x := spectest.Of(t, soundSpec, (*Spec).Reconcile) // 8 warps, 4 CTAs
	x.Only("contexts", map[int]bool{0: true, 7: false, 8: true, 512: true, 513: false},
		func(s *Spec, v int) { s.Contexts = v })
	x.Only("resident_ctas", map[int]bool{0: true, 3: false, 4: true, 512: true, 513: false},
		func(s *Spec, v int) { s.ResidentCTAs = v })
	x.Taken(func(s *Spec) { s.Switch.Switching = switching.VirtualThread })
	x.Refused("sched.policy", func(s *Spec) {
		s.Switch.Switching = switching.VirtualThread
		s.Scheduler = sched.Spec{Policy: sched.FetchGroup, Group: 2}
	})
}

func TestContextsThatAreNotSetAreAsManyAsThereCanBeWhereCTAsAreSwitched(t *testing.T) {
	for _, k := range []struct {
		switches              bool
		contexts, resident    int
		wantContexts, wantCTA int
	}{
		{false, 0, 0, 8, 4}, {true, 0, 0, 512, 128}, {true, 16, 6, 16, 6}, {false, 16, 6, 16, 6},
	} {
		s := testSpec()
		s.Contexts, s.ResidentCTAs = k.contexts, k.resident
		if k.switches {
			s.Switch.Switching = switching.VirtualThread
		}
		if a, b := s.WarpContexts(), s.CTAContexts(); a != k.wantContexts || b != k.wantCTA {
			t.Errorf("%+v: %d warps and %d CTAs may be resident", k, a, b)
		}
	}
}

func TestUnitsAreSharedOrSoManyForEachScheduler(t *testing.T) {
	x := spectest.Of(t, soundOf(4), (*Spec).Reconcile)
	x.Only("units.alu.count", map[int]bool{3: false, 4: true, 6: false, 8: true},
		func(s *Spec, v int) { unit(s, "alu", func(u *execute.UnitSpec) { u.Count = v }) })
	x.Taken(func(s *Spec) { unit(s, "alu", func(u *execute.UnitSpec) { u.Count, u.Shared = 6, true }) })
	x.Refused("units.mem.count", func(s *Spec) { unit(s, "mem", func(u *execute.UnitSpec) { u.Shared = false }) })
	x.Refused("units.mem.count", func(s *Spec) { unit(s, "mem", func(u *execute.UnitSpec) { u.Count = 2 }) })
	y := spectest.Of(t, soundSpec, (*Spec).Reconcile)
	y.Taken(func(s *Spec) { unit(s, "mem", func(u *execute.UnitSpec) { u.Shared = false }) })
}

func TestEveryTimingClassHasOneUnitAndMemoryOneOfItsOwn(t *testing.T) {
	x := spectest.Of(t, soundSpec, (*Spec).Reconcile)
	x.Refused("units.alu.classes", func(s *Spec) {
		unit(s, "alu", func(u *execute.UnitSpec) { u.Classes = append(u.Classes, "magic") })
	})
	x.Refused("units.mem.classes", func(s *Spec) { // alu has it
		unit(s, "mem", func(u *execute.UnitSpec) { u.Classes = append(u.Classes, "move") })
	})
	x.Refused("units", func(s *Spec) { // nobody has moves
		unit(s, "alu", func(u *execute.UnitSpec) { u.Classes = u.Classes[1:] })
	})
	x.Refused("units", func(s *Spec) {
		unit(s, "alu", func(u *execute.UnitSpec) { u.Classes = u.Classes[1:] })
		unit(s, "mem", func(u *execute.UnitSpec) { u.Classes = append(u.Classes, "move") })
	})
	x.Refused("units", func(s *Spec) {
		unit(s, "mem", func(u *execute.UnitSpec) { u.Classes = []string{"load", "store", "atomic"} })
		s.Units["tex"] = execute.UnitSpec{Count: 1, Classes: []string{"texture"}, Latency: 2, Initial: 1}
	})
	x.Refused("units.alu.class.magic", func(s *Spec) {
		unit(s, "alu", func(u *execute.UnitSpec) { u.Class = map[string][]int{"magic": {4, 1}} })
	})
}

func TestARefusedClassIsToldWhichClassesThereAre(t *testing.T) {
	s := soundSpec()
	unit(&s, "alu", func(u *execute.UnitSpec) { u.Classes = []string{"magic"} })
	err := s.Reconcile()
	if err == nil {
		t.Fatal("a class of no instruction is accepted")
	}
	_, list, _ := strings.Cut(err.Error(), "a timing class: ")
	got := strings.Split(list, ", ")
	if len(got) != int(ir.NumClasses) {
		t.Fatalf("%d classes in %q, want %d", len(got), err, ir.NumClasses)
	}
	for c := range ir.NumClasses {
		if got[c] != c.String() {
			t.Errorf("class %d is named %q, want %q", c, got[c], c)
		}
	}
}

func TestLatenciesAndInitiationIntervalsHaveBounds(t *testing.T) {
	x := spectest.Of(t, soundSpec, (*Spec).Reconcile)
	x.Within("units.alu", 2, 1000, func(s *Spec, v int) { unit(s, "alu", func(u *execute.UnitSpec) { u.Latency = v }) })
	x.Within("units.alu", 1, 1000, func(s *Spec, v int) { unit(s, "alu", func(u *execute.UnitSpec) { u.Initial = v }) })
	class := func(t ...int) func(s *Spec) {
		return func(s *Spec) { unit(s, "alu", func(u *execute.UnitSpec) { u.Class = map[string][]int{"sfu": t} }) }
	}
	x.Within("units.alu.class.sfu", 2, 1000, func(s *Spec, v int) { class(v, 1)(s) })
	x.Within("units.alu.class.sfu", 1, 1000, func(s *Spec, v int) { class(2, v)(s) })
	x.Refused("units.alu.class.sfu", class(4))
	x.Refused("units.alu.class.sfu", class(4, 1, 1))
}

func TestMemoryClassesOfDifferentLatenciesAreRefused(t *testing.T) {
	spec := testSpec()
	u := spec.Units["mem"]
	u.Class = map[string][]int{"atomic": {3, 1}}
	spec.Units["mem"] = u
	if err := spec.Reconcile(); err == nil {
		t.Error("an atomic of another latency than loads was accepted")
	}
}
