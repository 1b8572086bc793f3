package result

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/stats"
)

// oneLaunch returns a launch with a count of n for everything.
func oneLaunch(name string, n uint64) Kernel {
	k := Kernel{Name: name, Counts: Counts{Cycles: n, IssueSlots: map[string]uint64{Issued: n},
		WarpStates: map[string]uint64{"ready": n},
		Stats:      map[string]uint64{"x": n}, Distributions: map[string][]stats.Bucket{"d": {{Count: n}}}}}
	k.SetIPC()
	for i := range 3 {
		k.SMs = append(k.SMs, SM{SM: i, WarpInstructions: n, IssueSlots: map[string]uint64{Issued: n}})
		k.SMs[i].SetCPI()
	}
	return k
}

func TestAppendingLaunchesChangesNoneOfTheirFigures(t *testing.T) {
	var got, want []Kernel
	for i, n := range []uint64{1, 1, 2, 1, 3, 3} {
		name := fmt.Sprint("k", i%2)
		got, want = Append(got, oneLaunch(name, n)), append(want, oneLaunch(name, n))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestLaunchesThatCountedTheSameKeepItOnce(t *testing.T) {
	at := func(m any) uintptr { return reflect.ValueOf(m).Pointer() }
	list := Append(Append(Append(nil, oneLaunch("a", 1)), oneLaunch("b", 2)), oneLaunch("a", 1))
	a, b := &list[0], &list[2]
	if at(a.Stats) != at(b.Stats) || at(a.Distributions) != at(b.Distributions) ||
		at(a.IssueSlots) != at(b.IssueSlots) ||
		at(a.WarpStates) != at(b.WarpStates) || at(a.CPIStack) != at(b.CPIStack) || &a.SMs[0] != &b.SMs[0] {
		t.Error("equal launches of a kernel have maps of their own")
	}
	if at(a.SMs[0].IssueSlots) != at(a.SMs[2].IssueSlots) {
		t.Error("equal SMs of a launch have maps of their own")
	}
	if at(a.Stats) == at(list[1].Stats) {
		t.Error("different launches share a map")
	}
}

func TestLaunchesAreGroupedByKernelAndShape(t *testing.T) {
	wide := oneLaunch("a", 3)
	wide.Block[0] = 64
	groups := Groups([]Kernel{oneLaunch("a", 1), oneLaunch("b", 2), wide, oneLaunch("a", 4)}, SameShape)
	var names []string
	for _, g := range groups {
		names = append(names, fmt.Sprint(g[0].Name, " ", len(g)))
	}
	if want := []string{"a 2", "b 1", "a 1"}; !slices.Equal(names, want) {
		t.Errorf("groups %q, want %q", names, want)
	}
}
