package sampling_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/wire/wiretest"
	"kumiko/gpus/sampling"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/sm/message"
	"kumiko/sm/residency"
)

// taker accepts the CTAs of a launch sampled by waves, and retires each at once.
type taker struct {
	src     *watched
	s       sampling.Sampler
	retired *wiretest.Source[message.CTACredit]
	gpu     *sampling.GPU
	taken   []int // CTAs, by their numbers
}

// watched is a source that records, at the making of each CTA, how many CTAs were released and how many were
// accepted.
type watched struct {
	ctas
	t               *taker
	releasedBy, gap []int // by the CTA's number
	err             error
}

func (w *watched) Next() *stream.CTA {
	w.releasedBy = append(w.releasedBy, len(w.released))
	w.gap = append(w.gap, len(w.t.taken))
	return w.ctas.Next()
}

func (w *watched) Err() error { return w.err }

// newTaker begins a launch of CTAs. ctas is their number, and each the number of lines loaded by each of them. An
// SM holds 16 CTAs.
func newTaker(t *testing.T, spec sampling.Spec, n, ctas, each int) *taker {
	t.Helper()
	x := &taker{gpu: idle(t, 1)}
	x.gpu.Sides = memories(t, 1).Sides
	x.src = &watched{t: x}
	x.src.kernel, x.src.warps = memoryKernel, ofLines(ctas, each)
	x.retired = wiretest.NewSource("Retired", x.gpu.Core, &x.gpu.Dispatcher.(*residency.Dispatcher).Credits[0])
	l := &sampling.Launch{Kernel: memoryKernel, Grid: [3]int{n, 1, 1}, Block: [3]int{32, 1, 1}, Resident: 16}
	mode := sampling.New(x.gpu, &spec, nil)
	if mode.Skips(l) {
		t.Fatal("the first launch is skipped")
	}
	x.s = mode.Sampler(l, x.src)
	return x
}

// take accepts the next CTA. It returns false if none is ready.
func (x *taker) take() bool {
	c := x.s.Next()
	if c == nil {
		return false
	}
	x.taken = append(x.taken, c.Index)
	x.retired.Send(0, message.CTACredit{Gone: []*stream.CTA{c}})
	x.gpu.Core.RunUntil(x.gpu.Core.Now() + 4)
	return true
}

// all accepts all CTAs, calling Between after each as machines do between chunks, and reports whether there may be
// more.
func (x *taker) all(t *testing.T) (more bool) {
	t.Helper()
	for x.take() {
		if len(x.taken) > len(x.src.warps) {
			t.Fatal("there are more CTAs than the source has")
		}
		more = x.s.Between()
	}
	return more
}

// planned returns the CTAs of a launch simulated by a plan.
func planned(spec sampling.Spec, n int) (out []int) {
	p, at := sampling.NewWavePlan(spec, 0, n, 16), 0
	run := func(k int) {
		for range k {
			out = append(out, at)
			at++
		}
	}
	run(p.Head())
	for last := false; !last; {
		var skip, k int
		skip, k, last = p.Next(nil)
		at += skip
		run(k)
	}
	return out
}

func TestTheMachineGetsTheCTAsOfThePlanInTheirOrder(t *testing.T) {
	for seed := range int64(5) {
		spec := sampling.Spec{Seed: seed}
		x := newTaker(t, spec, 700, 700, 2)
		if x.all(t) {
			t.Errorf("seed %d: more CTAs may follow the last", seed)
		}
		if d := cmp.Diff(planned(spec, 700), x.taken); d != "" {
			t.Errorf("seed %d: simulated CTAs (-plan +got):\n%s", seed, d)
		}
		if x.src.given != 700 {
			t.Errorf("seed %d: %d CTAs are executed, want 700", seed, x.src.given)
		}
		for _, c := range x.taken {
			if slices.Contains(x.src.released, c) {
				t.Errorf("seed %d: CTA %d is released while it is simulated", seed, c)
			}
		}
		if n := len(x.src.released); n != 700-len(x.taken) {
			t.Errorf("seed %d: %d of %d skipped CTAs are released", seed, n, 700-len(x.taken))
		}
	}
}

// CTA 200 has forty loads, the others two.
func TestAllCTAsFromAMuchLongerOneOnAreSimulated(t *testing.T) {
	skipped := 0
	for seed := range int64(5) {
		x := newTaker(t, sampling.Spec{Seed: seed}, 700, 700, 2)
		x.src.warps[200] = ofLines(1, 40)[0]
		x.all(t)
		if n := len(x.taken); n < 500 || x.taken[n-500] != 200 {
			t.Errorf("seed %d: of the last 500 CTAs some are skipped, want none", seed)
		}
		skipped += 700 - len(x.taken)
		if x.src.given != 700 || len(x.src.released) != 700-len(x.taken) {
			t.Errorf("seed %d: %d CTAs are executed, %d released and %d simulated, want 700 in all", seed, x.src.given,
				len(x.src.released), len(x.taken))
		}
	}
	if skipped == 0 {
		t.Error("nothing is skipped before CTA 200")
	}
}

// A CTA of three times the mean is within what units show.
func TestCTAsOfUnequalLengthsAreSkipped(t *testing.T) {
	x := newTaker(t, sampling.Spec{Seed: 1}, 700, 700, 2)
	x.src.warps[200] = ofLines(1, 6)[0]
	x.all(t)
	if d := cmp.Diff(planned(sampling.Spec{Seed: 1}, 700), x.taken); d != "" {
		t.Errorf("simulated CTAs (-plan +got):\n%s", d)
	}
}

// At most two waves of simulated CTAs are queued. CTAs are skipped once only two CTAs are queued, an eighth of a
// wave. During skipping, Between reports that more CTAs may follow.
func TestCTAsAreSkippedWhenTheMachineHasNearlyAllBefore(t *testing.T) {
	spec := sampling.Spec{Seed: 1}
	x := newTaker(t, spec, 700, 700, 2)
	if x.src.given != 32 {
		t.Errorf("%d CTAs are ready at the beginning, want two waves of 16", x.src.given)
	}
	x.all(t)
	plan := planned(spec, 700)
	most := 0
	for i := range 700 {
		waiting := -x.src.gap[i]
		for _, c := range plan {
			if c < i {
				waiting++
			}
		}
		if _, simulated := slices.BinarySearch(plan, i); simulated {
			most = max(most, waiting)
			if waiting >= 32 {
				t.Errorf("CTA %d is made while %d CTAs wait", i, waiting)
			}
		} else if waiting != 2 {
			t.Errorf("CTA %d is skipped while %d CTAs wait, want 2", i, waiting)
		}
	}
	if most != 31 {
		t.Errorf("simulated CTAs are made while at most %d wait, want 31", most)
	}
}

func TestNoCTAIsReadyUntilTheNextLookWhenAllHaveBeenTaken(t *testing.T) {
	x := newTaker(t, sampling.Spec{Seed: 1}, 700, 700, 2)
	for range 32 {
		if !x.take() {
			t.Fatal("no CTA is ready")
		}
	}
	if x.take() {
		t.Error("a CTA is ready, want none before a look")
	}
	if !x.s.Between() || !x.take() {
		t.Error("no CTA is ready behind a look")
	}
}

// Each CTA has four accesses, and the GPU holds 16 CTAs. Four CTAs therefore start between two accesses of a warp,
// and the fifth step detects a CTA's end: four CTAs are released with the 20th, and so on. The rest are released
// when the skipped part ends.
func TestSkippedCTAsPassTheCachesAsFarApartAsInTheMiddleOfALaunch(t *testing.T) {
	spec := sampling.Spec{Seed: 1}
	x := newTaker(t, spec, 16*100, 16*100, 4)
	x.all(t)
	before := 0 // CTAs skipped in the parts before
	plan := planned(spec, 16*100)
	for i := 1; i < len(plan); i++ {
		from, to := plan[i-1]+1, plan[i]
		for c := from; c < to; c++ {
			want := before + 4*max((c-from)/4-4, 0)
			if got := x.src.releasedBy[c]; got != want {
				t.Errorf("%d CTAs are released behind %d of part %d to %d, want %d", got, c-from, from, to-1, want)
			}
		}
		before += to - from
		if got := x.src.releasedBy[to]; got != before {
			t.Errorf("%d CTAs are released behind CTA %d, want %d", got, to-1, before)
		}
	}
	if before == 0 {
		t.Error("no CTA is skipped")
	}
}

// The streams end in the head, in the first skipped part, and after it, each time with an error.
func TestALaunchEndsWhereItsStreamsEnd(t *testing.T) {
	spec := sampling.Spec{Seed: 1}
	plan := planned(spec, 1600)
	k := 0
	for plan[k+1] == plan[k]+1 {
		k++
	}
	if plan[k+1] < plan[k]+4 {
		t.Fatalf("the plan skips CTAs %d to %d", plan[k]+1, plan[k+1]-1)
	}
	fault := errors.New("fault")
	for _, n := range []int{5, plan[k] + 3, plan[k+1] + 3} {
		x := newTaker(t, spec, 1600, n, 2)
		x.src.err = fault
		if x.all(t) || x.s.Between() {
			t.Errorf("%d CTAs: more may follow", n)
		}
		end, _ := slices.BinarySearch(plan, n)
		if d := cmp.Diff(plan[:end], x.taken); d != "" {
			t.Errorf("%d CTAs: simulated ones (-plan +got):\n%s", n, d)
		}
		if len(x.src.released) != n-end || !errors.Is(x.s.Err(), fault) {
			t.Errorf("%d CTAs: %d skipped ones are released, error %v; want %d, %v", n, len(x.src.released), x.s.Err(),
				n-end, fault)
		}
	}
}

func TestASimulatedCTAIsReleasedToTheSource(t *testing.T) {
	x := newTaker(t, sampling.Spec{Seed: 1}, 700, 700, 2)
	x.s.(stream.Releaser).Release(x.s.Next())
	if d := cmp.Diff([]int{0}, x.src.released); d != "" {
		t.Errorf("released (-want +got):\n%s", d)
	}
}

// forgetful is a source that does not reuse the memory of CTAs.
type forgetful struct{ of *ctas }

func (f forgetful) Next() *stream.CTA { return f.of.Next() }
func (f forgetful) Err() error        { return nil }

func TestASourceNeedNotUseMemoryAgain(t *testing.T) {
	g := idle(t, 1)
	g.Sides = memories(t, 1).Sides
	src := forgetful{&ctas{kernel: memoryKernel, warps: ofLines(700, 1)}}
	l := &sampling.Launch{Kernel: memoryKernel, Grid: [3]int{700, 1, 1}, Block: [3]int{32, 1, 1}, Resident: 16}
	s := sampling.New(g, &sampling.Spec{Seed: 1}, nil).Sampler(l, src)
	s.(stream.Releaser).Release(s.Next())
	for s.Next() != nil {
		s.Between()
	}
	if src.of.given != 700 {
		t.Errorf("%d CTAs are executed, want 700", src.of.given)
	}
}

// Nothing issues on an idle GPU, so no unit can be measured.
func TestALaunchWithLessThanTwoUnitsIsRefused(t *testing.T) {
	x := newTaker(t, sampling.Spec{Seed: 1}, 700, 700, 1)
	x.all(t)
	r := (&sampling.Launch{Kernel: &ir.Kernel{Name: "short"}}).Result()
	const want = "kernel short: found 0 units that could be measured, expected at least 2: the launch is too short " +
		"to be sampled"
	if err := x.s.End(1, &r); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
