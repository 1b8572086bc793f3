package sm

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/sm/switching"
)

func names(list []ReasonInfo) (out []string) {
	for _, r := range list {
		out = append(out, r.Name)
	}
	return out
}

func TestAnSMHasTheReasonsOfWhatItCanDo(t *testing.T) {
	gates := []regfile.Gate{{Reason: "fill"}}
	for _, k := range []struct {
		what   string
		change func(s *Spec, p *planes)
		want   []string
	}{
		{"plain", func(*Spec, *planes) {}, []string{"issued", "regfile_full", "scoreboard", "memory", "fence",
			"barrier", "no_instruction", "drain", "empty"}},
		{"everything", func(s *Spec, p *planes) {
			s.IssueWidth, s.Scheduler.Policy, s.Switch.Switching = 2, fetchGroup, switching.VirtualThread
			p.inserts, p.gates = "prefetch", gates
		}, []string{"issued", "inserted", "unpaired", "regfile_full", "fill", "inactive", "switch", "scoreboard",
			"memory", "fence", "barrier", "no_instruction", "drain", "parked", "empty"}},
		{"control words", func(s *Spec, _ *planes) { s.Scheduler.Dependences = byControl }, []string{"issued",
			"regfile_full", "stall", "yield", "counter", "scoreboard", "memory", "fence", "barrier", "no_instruction",
			"drain", "empty"}},
	} {
		s, p := testSpec(), planes{}
		k.change(s, &p)
		if d := cmp.Diff(k.want, names((&SM{spec: s, planes: p}).Reasons())); d != "" {
			t.Errorf("%s (-want +got):\n%s", k.what, d)
		}
	}
}

// Warps are in the states that reasons name, but for those of slots alone.
func TestWarpCyclesAreCountedByTheStatesOfWarps(t *testing.T) {
	reg := &stats.Registry{}
	a := &slotAccount{}
	a.register("S", 1, Reasons(nil, Inserted, Unpaired, Inactive), reg)
	var got []string
	for _, s := range reg.Stats() {
		if s.Name[:9] == "sm.warps." {
			got = append(got, s.Name[9:])
		}
		if s.Name == "sm.warps.issued" && s.Description != "warp-cycles of warps that could issue, used or not" ||
			s.Name == "sm.warps.memory" && s.Description != "warp-cycles in state memory" {
			t.Errorf("%s: %s", s.Name, s.Description)
		}
	}
	if d := cmp.Diff([]string{"barrier", "drain", "fence", "inactive", "issued", "memory", "no_instruction",
		"scoreboard"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	a.states[Memory], a.states[Inactive] = 0b111, 0b11
	a.hold(5)
	if a.warps[Memory] != 15 || a.warps[Inactive] != 10 {
		t.Errorf("%d warp-cycles of memory, %d inactive; want 5 of each warp: 15, 10", a.warps[Memory],
			a.warps[Inactive])
	}
}

// At 10 three slots: an instruction, an inserted operation, one lost to memory; up to 14 all
// are lost to memory. A scheduler that has run ahead to 9 of an end at 5 gives back 4 cycles.
func TestEverySlotOfACycleHasAReason(t *testing.T) {
	a := &slotAccount{width: 3}
	a.begin(9)
	a.cycle(10, 1, 1, Memory)
	a.finish(14)
	if s := &a.slots; s[Issued] != 1 || s[Inserted] != 1 || s[Memory] != 1+4*3 {
		t.Errorf("%d issued, %d inserted, %d lost; want 1, 1, 13", s[Issued], s[Inserted], s[Memory])
	}
	b := &slotAccount{width: 2}
	b.begin(0)
	b.cycle(9, 0, 0, Empty)
	b.slots[Empty] = 18
	b.finish(5)
	if b.slots[Empty] != 10 || b.seen != 5 {
		t.Errorf("%d slots up to %d, want 10 up to 5", b.slots[Empty], b.seen)
	}
}

func TestInsertedOperationsAreCountedWhereThereAreSome(t *testing.T) {
	for _, inserts := range []string{"", "prefetch"} {
		reg := &stats.Registry{}
		NewScheduler("S", wire.NewDomain("core", ghz), testSetup().config(&planes{inserts: inserts}), schedulerLinks{units: [][]uint8{{0}, {1}},
			planes: &planes{inserts: inserts}, audience: &audience{}, steady: &steady{}}, reg)
		_, counted := reg.Snapshot()["sm.inserted_instructions"]
		if counted != (inserts != "") {
			t.Errorf("inserts %q: counted %t", inserts, counted)
		}
	}
}

// A warp of 4 registers runs from 10 to 30; those of another CTA run from 20 to 40 and to 50.
func TestResidentWarpsAndTheirRegistersAreSummedOverCycles(t *testing.T) {
	d := wire.NewDomain("core", ghz)
	b := &seatBench{d: d, r: NewResidency("R", d, testPlaces(), nil)}
	b.grants = wiretest.NewSource("G", d, &b.r.Grants)
	b.ended = wiretest.NewSource("E", d, &b.r.Ended[0])
	wiretest.NewSink("Room", d, &b.r.Room, 4)
	wiretest.NewSink("Fetch", d, &b.r.ToFetch, 4)
	wiretest.NewSink("Bar", d, &b.r.ToBar, 4)
	wiretest.NewSink("Sched", d, &b.r.ToScheds[0], 4)
	b.r.Limit(regfile.Residency{Resident: 2, Active: 2}, 4)
	b.grants.Send(9, Grant{ctaOf(1)})  // admitted at 10
	b.grants.Send(19, Grant{ctaOf(2)}) // at 20
	for _, e := range []struct {
		at   wire.Cycle
		warp uint16
	}{{29, 0}, {39, 1}, {49, 2}} {
		b.ended.Send(e.at, WarpEnd{Warp: e.warp})
	}
	d.RunUntil(60)
	// one warp for 20 cycles, one for 20, one for 30; the registers until the CTA has ended
	if r := b.r; r.warpTime != 20+20+30 || r.heldTime != 4*20+2*4*30 || r.launched != 2 {
		t.Errorf("%d warp-cycles, %d register-cycles of %d CTAs; want 70, 320 of 2", r.warpTime, r.heldTime,
			r.launched)
	}
}

// Three warps have an addition each, and the link to the register file holds two until 20.
func TestASchedulerTellsWhetherItIssuesAndWhetherItCould(t *testing.T) {
	k := kernelOf(inst(ir.ClassInt, []int{1}, 0), inst(ir.ClassInt, []int{2}, 1), inst(ir.ClassExit, nil))
	b := newBench(testSetup(), k)
	b.s.idle = newIdleCount("I", nil)
	b.s.idle.begin(0)
	b.issue.Refuse = func(now wire.Cycle) bool { return now < 20 }
	b.warps(1, 0b111)
	for w := range 3 {
		b.fetch(2, w, 0)
	}
	b.d.RunUntil(40)
	b.s.idle.finish(40)
	// in the buffer at 3; two operations find room at 3 and 4, the third at 21
	if c := b.s.idle; c.stall != 16 || c.idle != 40-3-16 {
		t.Errorf("%d stall and %d idle cycles, want 16 (5 to 20) and 21", c.stall, c.idle)
	}
}
