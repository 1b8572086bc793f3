package regmutex

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/components/stats"
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/compiler/regmutex"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// rig has the sections of 16 contexts, of two schedulers and as many sub-cores. Instruction 0
// needs no section, instruction 1 does.
type rig struct {
	d     *wire.Domain
	x     *Sections
	warps [2]*wiretest.Source[regfile.WarpNotice]
	reg   stats.Registry
}

func newRig(sections int) *rig {
	r := &rig{d: wire.NewDomain("Core", 1e9)}
	r.x = NewSections("Sections", r.d, SectionsSpec{Contexts: 16, Schedulers: 2, Parts: 2}, &r.reg)
	for i := range r.warps {
		r.warps[i] = wiretest.NewSource("Scheduler", r.d, &r.x.Warp[i])
	}
	r.x.Load(sections, &regmutex.Plan{Needs: []bool{false, true}}, nil)
	return r
}

func (r *rig) event(c wire.Cycle, w int, e regfile.WarpEvent, pc uint32) {
	r.warps[w%2].Send(c, regfile.WarpNotice{Warp: uint16(w), Event: e, PC: pc})
}

func (r *rig) ask(c wire.Cycle, w int)              { r.event(c, w, regfile.WarpHeld, 1) }
func (r *rig) issue(c wire.Cycle, w int, pc uint32) { r.event(c, w, regfile.WarpIssued, pc) }

// open checks the contexts with a section, as of cycle c.
func (r *rig) open(t *testing.T, c wire.Cycle, want ...int) {
	t.Helper()
	r.d.RunUntil(c)
	got := []int{}
	for w := range 16 {
		if v := r.x.Closed.Get(); !v.Has(w) {
			got = append(got, w)
		}
	}
	if !slices.Equal(got, want) && len(got)+len(want) > 0 {
		t.Fatalf("cycle %d: contexts %v have a section, want %v", c, got, want)
	}
}

func (r *rig) stat(t *testing.T, name string, want uint64) {
	t.Helper()
	if got := r.reg.Snapshot()["regfile.regmutex."+name]; got != want {
		t.Errorf("%s = %d, want %d", name, got, want)
	}
}

// The request put at 10 is seen at 11, when it is served; the gate is open from 12 on.
func TestAFreeSectionIsGivenTheCycleAfterItsRequest(t *testing.T) {
	r := newRig(1)
	r.ask(10, 2)
	r.open(t, 11)
	r.open(t, 12, 2)
	r.stat(t, "at_once", 1)
}

// Warp 2 issues an instruction without need of a section at 20, seen at 21. At 22 the gate is closed to it and the
// section is free; warp 4 has the section at 23.
func TestASectionIsGivenOnTwoCyclesAfterTheInstructionThatNeedsNone(t *testing.T) {
	r := newRig(1)
	r.ask(10, 2)
	r.ask(12, 4)
	r.issue(20, 2, 0)
	r.open(t, 21, 2)
	r.open(t, 22)
	r.open(t, 23, 4)
	r.stat(t, "wait_cycles", 9) // 13 to 22
	r.stat(t, "kept", 0)
}

// What warp 2 issues at 21 came before the gate was shut, at 22: it keeps its section.
func TestAWarpThatNeedsItsSectionAgainInTheNextCycleKeepsIt(t *testing.T) {
	for name, again := range map[string]func(*rig){
		"issued":             func(r *rig) { r.issue(21, 2, 1) },
		"in the same cycle":  func(r *rig) { r.issue(20, 2, 1) },
		"asked":              func(r *rig) { r.ask(21, 2) },
		"left and came back": func(r *rig) { r.issue(21, 2, 1); r.issue(21, 2, 0); r.issue(22, 2, 1) },
	} {
		r := newRig(1)
		r.ask(10, 2)
		r.ask(12, 4)
		r.issue(20, 2, 0)
		again(r)
		r.open(t, 40, 2)
		if got := r.reg.Snapshot()["regfile.regmutex.releases"]; got != 0 {
			t.Errorf("%s: %d sections were given up", name, got)
		}
	}
}

func TestSectionsOfOneSubCoreAreNotForWarpsOfAnother(t *testing.T) {
	r := newRig(1)
	r.ask(10, 1)
	r.ask(11, 3)
	r.ask(11, 2)
	r.open(t, 40, 1, 2)
	if w := r.x.Waiting(); !strings.Contains(w, "sub-core 1: warps [3] wait for sections, which are held by warps 1") {
		t.Errorf("waiting: %q", w)
	}
	r.event(50, 1, regfile.WarpFinished, 0)
	r.open(t, 52, 2, 3)
}

func TestARequestIsServedOnceHoweverOftenItIsMade(t *testing.T) {
	r := newRig(1)
	r.ask(10, 2)
	r.ask(12, 4)
	r.ask(14, 6)
	r.ask(16, 4)
	r.event(20, 2, regfile.WarpFinished, 0)
	r.open(t, 22, 4)
	r.event(30, 4, regfile.WarpFinished, 0)
	r.open(t, 32, 6)
	r.stat(t, "requests", 3)
	r.stat(t, "grants", 3)
}

func TestWithoutSectionsEveryGateIsOpen(t *testing.T) {
	r := newRig(0)
	r.issue(10, 2, 1)
	r.open(t, 20, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
}

// Random warps obeying the gate: no section is held by two warps, waiting warps are served in the order of
// requests, and nothing leaks.
func TestNoSectionIsGivenTwiceAndNobodyIsForgotten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sections := rapid.IntRange(1, 4).Draw(t, "sections")
		r := newRig(sections)
		waits := [2][]int{}
		state := [16]int{} // 0 without, 1 asking, 2 inside, 3 left in the last cycle
		for now := wire.Cycle(2); now < 200; now++ {
			r.d.RunUntil(now)
			v := r.x.Closed.Get()
			for part := range 2 {
				for q := waits[part]; len(q) > 0 && !v.Has(q[0]); q = waits[part] {
					state[q[0]] = 2
					waits[part] = q[1:]
				}
				for _, w := range waits[part] {
					if !v.Has(w) {
						t.Fatalf("cycle %d: warp %d has a section before warp %d, which asked before", now, w,
							waits[part][0])
					}
				}
			}
			for part := range 2 { // one warp of each scheduler does something
				w := 2*rapid.IntRange(0, 7).Draw(t, "warp") + part
				switch {
				case state[w] == 0 && v.Has(w):
					r.ask(now, w)
					state[w] = 1
					waits[part] = append(waits[part], w)
				case state[w] == 2 && rapid.Bool().Draw(t, "end"):
					r.event(now, w, regfile.WarpFinished, 0)
					state[w] = 0
				case state[w] == 2:
					r.issue(now, w, 0)
					state[w] = 3
				}
			}
			inside := [2]int{}
			for w := range 16 {
				if state[w] == 2 {
					inside[w%2]++
				}
			}
			if inside[0] > sections || inside[1] > sections {
				t.Fatalf("cycle %d: %v warps have sections, of %d in each sub-core", now, inside, sections)
			}
			for w := range 16 {
				if state[w] == 3 && v.Has(w) {
					state[w] = 0
				}
			}
		}
		for w := range 16 {
			if state[w] == 2 {
				r.event(200, w, regfile.WarpFinished, 0)
			}
		}
		for now := wire.Cycle(201); now < 400; now++ {
			r.d.RunUntil(now)
			v := r.x.Closed.Get()
			for w := range 16 {
				if state[w] == 1 && !v.Has(w) {
					state[w] = 0
					r.event(now, w, regfile.WarpFinished, 0)
				}
			}
		}
		r.d.RunUntil(410)
		if n := len(r.x.parts[0].free) + len(r.x.parts[1].free); n != 2*sections || r.x.held != 0 ||
			r.x.Waiting() != "" {
			t.Fatalf("%d sections are free and %d held, want %d and none; %s", n, r.x.held, 2*sections, r.x.Waiting())
		}
	})
}

// Warps 2 and 4 have sections from 11 to 31. Warp 2 has been about to give its own up once.
func TestSectionsAreCountedAsHeldKeptAndGivenUp(t *testing.T) {
	r := newRig(2)
	r.ask(10, 2)
	r.ask(10, 4)
	r.issue(20, 2, 0)
	r.issue(21, 2, 1)
	r.event(30, 2, regfile.WarpFinished, 0)
	r.event(30, 4, regfile.WarpFinished, 0)
	r.open(t, 40)
	r.stat(t, "held", 40)
	r.stat(t, "kept", 1)
	r.stat(t, "releases", 2)
}

// Warp 2 has issued an instruction without need of a section, and keeps the section for the rest of the cycle.
func TestAWarpThatIsAboutToGiveItsSectionUpStillHoldsIt(t *testing.T) {
	r := newRig(1)
	r.ask(10, 2)
	r.ask(12, 4)
	r.issue(20, 2, 0)
	r.d.RunUntil(21)
	const want = "sub-core 0: warps [4] wait for sections, which are held by warps 2"
	if w := r.x.Waiting(); w != want {
		t.Errorf("waiting: %q, want %q", w, want)
	}
}

// Of the eight sections of a sub-core a warp has one or none: nine values are four bits.
func TestTheStateIsABitPerSectionAndTheSectionOfEachWarp(t *testing.T) {
	if d := cmp.Diff([]regfile.State{
		{Block: "Sections", What: "sections in use", Count: 1, Bits: 16, Ports: "1rw", Kind: storage.FlipFlop,
			Width: 16},
		{Block: "Sections", What: "section of each warp", Count: 1, Bits: 16 * 4, Ports: "1rw",
			Kind: storage.FlipFlop, Width: 4},
	}, newRig(1).x.State()); d != "" {
		t.Errorf("storage (-want +got):\n%s", d)
	}
}

// Of five warps of two sub-cores, one has at most three, and each may have a section.
func TestTheBanksHaveAPlaceForASectionOfEveryWarp(t *testing.T) {
	env := func() *regfile.Env {
		return &regfile.Env{Domain: wire.NewDomain("Core", 1e9), Stats: &stats.Registry{}, Name: "SM", Schedulers: 2,
			IssueWidth: 1, Warps: 5, Registers: 64, Writebacks: 1, ReadNotice: true,
			Units: []regfile.Unit{{Name: "SP", Kind: "sp"}, {Name: "SP", Kind: "sp", Sched: 1}}}
	}
	s := Default()
	s.base.SubCores = 2
	f, err := New(env(), s)
	if err != nil {
		t.Fatal(err)
	}
	three := env()
	three.Places = 3
	plain, err := conventional.New(three, &s.base)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := f.Index().Entries(), plain.Index().Entries(); got != want {
		t.Errorf("%d entries of a bank, want the %d with three places", got, want)
	}
}
