package sharing

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/stats"
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// Registers are named first where both limits admit as many.
func TestTheLimitWithoutSharingIsTheOthersWhereTheyAdmitLess(t *testing.T) {
	for others, want := range map[int]string{2: "warps", 3: "", 4: ""} {
		s := Default()
		s.Threshold = 1
		l := launch36
		l.Others, l.OthersLimit = others, "warps"
		a, err := s.Admit(&l)
		if err != nil || a.Limit != want || a.Resident != min(3, others) {
			t.Errorf("others admit %d: %+v, error %v; want limit %q", others, a, err, want)
		}
	}
}

func TestAnInstructionIsHeldByTheFirstSharedRegisterThatItReads(t *testing.T) {
	f := newFile(t, nil)
	admit(t, f, launch36, 6) // registers 0, 1 and 2 are private
	holds := f.Gates()[0].Holds
	for src, want := range map[ir.RegID]bool{2: false, 3: true} {
		if got := holds(inst(ir.ClassInt, ir.SpaceNone, 0, src)); got != want {
			t.Errorf("register %d is read: held %v", src, got)
		}
	}
}

// The shared registers of a pair of CTAs exist once, so half of the contexts need a place for them.
func TestTheBanksHaveAPlaceForTheSharedRegistersOfEveryPairOfWarps(t *testing.T) {
	f := newFile(t, nil)
	plain, err := conventional.New(&regfile.Env{Domain: wire.NewDomain("Core", 1e9), Stats: &stats.Registry{},
		Name: "SM[0]", Schedulers: 2, IssueWidth: 1, Warps: 16, CTAs: 8, Registers: 40, Writebacks: 1, Places: 8,
		Units: []regfile.Unit{{Name: "SP", Kind: "sp", Sched: regfile.Shared}}}, &f.spec.base)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := f.Index().Entries(), plain.Index().Entries(); got != want {
		t.Errorf("%d entries of a bank, want the %d with eight places", got, want)
	}
}

func TestAWindowIsLongerThanTheWayToAnotherSM(t *testing.T) {
	s := Default()
	s.Dynamic = true
	files := []regfile.Design{newFile(t, func(s *Spec) { s.Dynamic = true }),
		newFile(t, func(s *Spec) { s.Dynamic = true })}
	err := joinChip(&regfile.ChipEnv{Latency: s.Window}, &s, files)
	if err == nil || !strings.Contains(err.Error(), "window") {
		t.Errorf("error %v, want one that names the window", err)
	}
}

// Sixteen contexts have eight locks, with the number of a warp each. A window of 1000 cycles is
// counted twice, and the probability in ten steps.
func TestTheStateIsThatOfLocksAndWindows(t *testing.T) {
	if d := cmp.Diff([]regfile.State{{Block: "Locks", What: "lock variables", Count: 1, Bits: 8 * 4,
		Kind: storage.FlipFlop, Width: 4}},
		onePair(true).l.State()); d != "" {
		t.Errorf("storage of locks (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]regfile.State{{Block: "Throttle", What: "stall counts and probability", Count: 1,
		Bits: 2*10 + 4, Kind: storage.FlipFlop, Width: 2*10 + 4}},
		newThrottlesRig(t, 2, Default()).t[1].State()); d != "" {
		t.Errorf("storage of a throttle (-want +got):\n%s", d)
	}
}

func TestAWarpHeldByTheRuleNamesTheHolderOfTheLock(t *testing.T) {
	r := onePair(true)
	r.ask(10, 1)
	r.ask(20, 2)
	r.d.RunUntil(40)
	const want = "warp 2 waits for lock 0 of pair 0, while warp 1 of the partner CTA holds lock 1"
	if w := r.l.Waiting(); w != want {
		t.Errorf("waiting: %q, want %q", w, want)
	}
}

// Of each request the time to its grant is in the distribution: 0 cycles and 30.
func TestTheTimesToGrantsAreDistributed(t *testing.T) {
	r := onePair(true)
	r.ask(10, 1)
	r.ask(20, 3)
	r.end(50, 1)
	r.d.RunUntil(60)
	var want stats.Histogram
	want.Add(0)
	want.Add(30)
	if r.l.waited != want {
		t.Errorf("waits %+v, want %+v", r.l.waited, want)
	}
}

// Before a CTA has come, no window counts, SM 0 holds all and SM 1 nobody.
func TestAThrottleBeginsWithItsGateAsItsLevelSays(t *testing.T) {
	r := newThrottlesRig(t, 2, Default())
	for sm, want := range []bool{true, false} {
		if r.t[sm].hasWarps() {
			t.Errorf("SM %d has warps before any CTA has come", sm)
		}
		r.run(t, 1)
		if v := r.t[sm].Shut.Get(); v.Has(2) != want {
			t.Errorf("SM %d holds warp 2 in the first cycle: %v", sm, v.Has(2))
		}
	}
}

// With a probability of 9/10 the gate is shut in about a tenth of 800 cycles: 80, standard
// deviation 8.
func TestAGateIsSeldomShutAtAHighProbability(t *testing.T) {
	r := newThrottlesRig(t, 2, Default())
	r.issues(0, 1, 100)
	r.run(t, 2000+linkLatency+2)
	if r.t[1].level != 9 {
		t.Fatalf("level %d, want 9", r.t[1].level)
	}
	if n := r.closedFor(t, 1, 2100, 2900); n < 40 || n > 120 {
		t.Errorf("shut in %d of 800 cycles at a probability of 9/10", n)
	}
}

// The windows begun at 1000 and 2000 have ended on both SMs, and nothing has issued.
func TestWholeWindowsAreCounted(t *testing.T) {
	r := newThrottlesRig(t, 2, Default())
	r.run(t, 3500)
	s := r.reg.Snapshot()
	if s["regfile.sharing.dynamic.windows"] != 4 || s["regfile.sharing.dynamic.stalls"] != 4000 {
		t.Errorf("%d windows, %d stalls; want 4 and 4000", s["regfile.sharing.dynamic.windows"],
			s["regfile.sharing.dynamic.stalls"])
	}
}
