package regfile

import (
	"strings"
	"testing"
)

func TestKindsAreFoundByName(t *testing.T) {
	defer func(old map[string]*Kind) { kinds = old }(kinds)
	kinds = map[string]*Kind{}
	k := &Kind{Name: "toy", NewSpec: func() any { return nil },
		Build: func(*Env, any) (Design, error) { return nil, nil }}
	Register(k)
	if got, err := Find("toy"); got != k || err != nil {
		t.Fatal(got, err)
	}
	if _, err := Find("magic"); err == nil || !strings.Contains(err.Error(), `"magic"`) ||
		!strings.Contains(err.Error(), "toy") {
		t.Fatalf("the error names neither what was asked for nor what there is: %v", err)
	}
	for _, bad := range []*Kind{k, {Name: "half"}, {NewSpec: k.NewSpec, Build: k.Build}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v registered", bad)
				}
			}()
			Register(bad)
		}()
	}
}

func TestSchedulersBelongToSubCoresInBlocks(t *testing.T) {
	p := Ports{Issue: nil, SubCores: 2}
	p.Issue = append(p.Issue, nil, nil, nil, nil)
	for s, want := range []int{0, 0, 1, 1} {
		if got := p.SubCore(s); got != want {
			t.Errorf("scheduler %d in sub-core %d, want %d", s, got, want)
		}
	}
}

func TestWarpSetsHoldWarpsOfEveryWord(t *testing.T) {
	var s WarpSet
	for _, w := range []int{0, 63, 64, 300, 511} {
		s.Add(w)
	}
	s.Remove(64)
	for w, want := range map[int]bool{0: true, 1: false, 63: true, 64: false, 300: true, 511: true} {
		if s.Has(w) != want {
			t.Errorf("warp %d: %v", w, !want)
		}
	}
}
