package regfile

import (
	"slices"
	"strings"
	"testing"
)

func TestKindsAreFoundByName(t *testing.T) {
	defer func(old map[string]*Kind) { kinds = old }(kinds)
	kinds = map[string]*Kind{}
	type settings struct{ N int }
	whole := Builder[settings]{Default: func() settings { return settings{3} },
		Build: func(*Env, *settings) (Design, error) { return nil, nil }}
	k := Register(Kind{Name: "toy"}, whole)
	if got, err := Find("toy"); got != k || err != nil {
		t.Fatal(got, err)
	}
	if _, err := Find("magic"); err == nil || !strings.Contains(err.Error(), `"magic"`) ||
		!strings.Contains(err.Error(), "toy") {
		t.Fatalf("the error names neither what was asked for nor what there is: %v", err)
	}
	for _, bad := range []struct {
		k Kind
		b Builder[settings]
	}{
		{*k, whole}, {Kind{Name: "half"}, Builder[settings]{}}, {Kind{}, whole},
		{Kind{Name: "own base"}, Builder[settings]{Default: whole.Default, Build: whole.Build,
			Base: Base[settings]{name: "own base"}}},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v registered", bad.k)
				}
			}()
			Register(bad.k, bad.b)
		}()
	}
}

// Of two GPUs each has settings of its own, and the functions of a kind see those of their GPU.
func TestAKindIsBuiltFromTheSettingsOfItsGPU(t *testing.T) {
	type below struct{ N int }
	type above struct{ N, Below int }
	var built []above
	base := Define(Kind{Name: "below"}, Builder[below]{Default: func() below { return below{1} },
		Build: func(*Env, *below) (Design, error) { return nil, nil }})
	k := Define(Kind{Name: "above"}, Builder[above]{Default: func() above { return above{2, 0} },
		Base: On(base, func(s *above, b *below) { s.Below = b.N }),
		Build: func(_ *Env, s *above) (Design, error) {
			built = append(built, *s)
			return nil, nil
		}})
	a, b := k.Settings(), k.Settings()
	SpecOf[above](a).N = 5
	behind := base.Settings()
	*SpecOf[below](behind) = below{7}
	a.SetBase(behind)
	for _, s := range []*Settings{a, b} {
		if _, err := s.Build(nil); err != nil {
			t.Fatal(err)
		}
	}
	if want := []above{{5, 7}, {2, 0}}; !slices.Equal(built, want) {
		t.Errorf("built with %+v, want %+v", built, want)
	}
	if k.Base != "below" || base.Base != "" || base.Settings().SetBase != nil || SpecOf[below](a) != nil {
		t.Errorf("base %q of a kind on another, %q of that", k.Base, base.Base)
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
