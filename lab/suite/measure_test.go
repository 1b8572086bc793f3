package suite

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/benchmarks/measured"
)

func TestTheMeasuredTableHasEveryApplicationAndKernel(t *testing.T) {
	var registered, recorded []string
	for _, a := range benchmarks.List() {
		for _, k := range a.Kernels {
			registered = append(registered, a.Name+" "+k.Name)
		}
	}
	for _, a := range measured.List() {
		for _, k := range a.Kernels {
			recorded = append(recorded, a.Name+" "+k.Name)
		}
		for _, s := range []string{"test", "small", "study"} {
			r := a.Sizes[s]
			for i, k := range a.Kernels {
				if len(r.Work) != len(a.Kernels) || r.Work[i].Kernel != k.Name || r.Work[i].WarpInstructions == 0 {
					t.Errorf("%s at size %s: no figures of kernel %s", a.Name, s, k.Name)
				}
			}
		}
	}
	if diff := cmp.Diff(registered, recorded); diff != "" {
		t.Errorf("registered (-) and measured (+), run go run ./lab/suite/table:\n%s", diff)
	}
}

func TestTheMeasuredTableIsCurrent(t *testing.T) {
	var m Measure
	for _, a := range benchmarks.List() {
		rec := measured.Of(a.Name)
		if rec == nil {
			continue // another test says so
		}
		kernels, err := m.Kernels(a)
		if err != nil {
			t.Fatal(err)
		}
		run, err := m.Run(a, benchmarks.Test)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(rec.Kernels, kernels); diff != "" {
			t.Errorf("%s: recorded (-) and measured (+) registers, run go run ./lab/suite/table %[1]s:\n%s",
				a.Name, diff)
		}
		if want := rec.Sizes["test"]; !reflect.DeepEqual(run, want) {
			t.Errorf("%s: recorded (-) and measured (+) at size test, run go run ./lab/suite/table %[1]s:\n%s",
				a.Name, cmp.Diff(want, run))
		}
	}
}

func TestARunIsMeasuredByKernel(t *testing.T) {
	// 2021 elements in 8 CTAs of 8 warps. The last warp has 5 lanes. All lanes execute all instructions except
	// those with a false guard, among them the branch past the end. Each warp has two loads and a store.
	var m Measure
	r, err := m.Run(benchmarks.Find("vecadd"), benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	if r.Launches != 1 || r.Work[0].CTAs != 8 || r.WarpInstructions != r.Work[0].WarpInstructions || r.Memory != 3*64 ||
		r.OffChip != r.Memory {
		t.Errorf("got %+v", r)
	}
	if l := r.Lanes(); l <= 28 || l >= 32 {
		t.Errorf("%.2f lanes on average, expected somewhat less than 32", l)
	}
}
