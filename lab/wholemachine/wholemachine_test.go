package wholemachine

import (
	"io"
	"slices"
	"strings"
	"testing"

	"kumiko/benchmarks"
)

// The groups of the resources table must be as named: with the printed footprints, slots limit one group and
// memories the other. The CTAs are the same at every size, except for lbm, where a CTA is a line of cells: too
// short at size test.
func TestTheGroupsAreBoundByWhatTheySay(t *testing.T) {
	for _, g := range []struct {
		apps   []string
		limits []string
	}{
		{ScheduledBound, []string{"threads", "warps", "ctas"}},
		{MemoryBound, []string{"registers", "shared"}},
	} {
		for _, a := range g.apps {
			size := benchmarks.Test
			if a == "lbm" {
				size = benchmarks.Small
			}
			// Scheduling loads ahead of their uses would need registers until these were limiting as well.
			o, err := (&Job{App: a, Size: size, GPU: "gtx980", Printed: true,
				Set: []string{"slice.sms=4", "compiler.schedule=pressure"}}).Run()
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(g.limits, o.Limit) {
				t.Errorf("%s is bound by %s, want one of %v", a, o.Limit, g.limits)
			}
		}
	}
}

func TestMoreOfWhatDoesNotBindChangesLittle(t *testing.T) {
	base, err := scaled("tpacf", benchmarks.Test, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range Scales {
		o, err := scaled("tpacf", benchmarks.Test, Scales[i].Set)
		if err != nil {
			t.Fatal(err)
		}
		want := base.CTAs // not limited by slots
		if strings.HasPrefix(Scales[i].Name, "memory") {
			want = 8 // 2048 threads: now the slots bind
		}
		if o.CTAs != want || o.Insts != base.Insts {
			t.Errorf("%s: %d CTAs and %d instructions, want %d and %d", Scales[i].Name, o.CTAs, o.Insts, want,
				base.Insts)
		}
	}
}

func TestAnApplicationThatDoesNotExistIsRefused(t *testing.T) {
	if err := Resources(io.Discard, benchmarks.Test, []string{"nosuch"}); err == nil ||
		!strings.Contains(err.Error(), `"nosuch"`) {
		t.Errorf("error %v, want one that names it", err)
	}
}
