package benchmarks_test

import (
	"errors"
	"math"
	"testing"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

func mismatches(t *testing.T, err error) int {
	t.Helper()
	if err == nil {
		return 0
	}
	var bad *host.CheckError
	if !errors.As(err, &bad) {
		t.Fatalf("got %v, expected a CheckError", err)
	}
	return bad.Mismatches
}

func TestCloseAllowsTheSumOfBothTolerances(t *testing.T) {
	// |got - want| against 0.25 + 0.5*|want|: 1.25 at 2, 0.25 at 0.
	tol := benchmarks.Tolerance{Abs: 0.25, Rel: 0.5}
	for _, c := range []struct {
		got  float32
		want float64
		bad  int
	}{{3.25, 2, 0}, {0.75, 2, 0}, {3.375, 2, 1}, {0.625, 2, 1}, {0.25, 0, 0}, {-0.375, 0, 1}, {-3.25, -2, 0}} {
		if got := mismatches(t, benchmarks.Close("x", []float32{c.got}, []float64{c.want}, tol)); got != c.bad {
			t.Errorf("%g against %g: %d mismatches, expected %d", c.got, c.want, got, c.bad)
		}
	}
}

func TestNaNIsCloseToNothing(t *testing.T) {
	nan := math.NaN()
	got := []float32{float32(nan), 1, float32(nan)}
	if n := mismatches(t, benchmarks.Close("x", got, []float64{1, nan, nan},
		benchmarks.Tolerance{Abs: math.MaxFloat64})); n != 3 {
		t.Errorf("%d mismatches, expected 3", n)
	}
}

func TestEqualCountsMismatchesAndTellsTheFirst(t *testing.T) {
	err := benchmarks.Equal("x", []int{1, 5, 3, 6}, []int{1, 2, 3, 4})
	var bad *host.CheckError
	if !errors.As(err, &bad) || bad.Buffer != "x" || bad.Mismatches != 2 || bad.First != "element 1 is 5, expected 2" {
		t.Errorf("got %v", err)
	}
}

func TestComparingDifferentLengthsIsNoCheckError(t *testing.T) {
	err := benchmarks.Equal("x", []int{1}, []int{1, 2})
	if _, ok := errors.AsType[*host.CheckError](err); err == nil || ok {
		t.Errorf("got %v, expected another error", err)
	}
}

func TestSizesAreParsedAsTheyArePrinted(t *testing.T) {
	for _, s := range []benchmarks.Size{benchmarks.Test, benchmarks.Small, benchmarks.Study, benchmarks.Large,
		benchmarks.Paper} {
		if got, err := benchmarks.ParseSize(s.String()); err != nil || got != s {
			t.Errorf("%v is parsed as %v, %v", s, got, err)
		}
	}
	if _, err := benchmarks.ParseSize("huge"); err == nil {
		t.Error("huge is a size")
	}
}

func TestASizeWithoutPublishedInputIsRefused(t *testing.T) {
	sizes := benchmarks.Sizes[int]{Test: 1, Small: 2, Study: 3}
	if n, err := sizes.Get(benchmarks.Study); n != 3 || err != nil {
		t.Errorf("study is %d, %v", n, err)
	}
	if _, err := sizes.Get(benchmarks.Paper); err == nil {
		t.Error("paper has parameters")
	}
}

func TestALargeSizeIsThatOfStudiesUnlessThereIsOne(t *testing.T) {
	sizes := benchmarks.Sizes[int]{Study: 3}
	if n, err := sizes.Get(benchmarks.Large); n != 3 || err != nil {
		t.Errorf("large is %d, %v, want study's", n, err)
	}
	own := 7
	sizes.Large = &own
	if n, err := sizes.Get(benchmarks.Large); n != 7 || err != nil {
		t.Errorf("large is %d, %v, want 7", n, err)
	}
}

func TestStudyCTAsAreThreeWavesOfFourSMsAtTwiceTheResidency(t *testing.T) {
	// 3 x 4 x 2 x min(32 slots, 64 warps / warps per CTA).
	for threads, want := range map[int]int{1: 768, 32: 768, 64: 768, 65: 504, 128: 384, 256: 192, 508: 96, 1024: 48} {
		if got := benchmarks.StudyCTAs(threads); got != want {
			t.Errorf("%d threads: %d CTAs, expected %d", threads, got, want)
		}
	}
}

// seen keeps the register footprints of launches.
type seen map[string]int

func (s seen) Launch(l *host.Launch) error {
	s[l.Kernel] = l.Registers
	return nil
}

func TestPaperRegistersFillInWhatIsPrintedAndNothingElse(t *testing.T) {
	s := seen{}
	r := benchmarks.Find("bfs").PaperRegisters(s)
	for _, l := range []*host.Launch{{Kernel: "visit"}, {Kernel: "update"}} {
		if err := r.Launch(l); err != nil || l.Registers != 0 {
			t.Fatalf("%v; the launch itself has %d registers", err, l.Registers)
		}
	}
	if s["visit"] != 20 || s["update"] != 0 {
		t.Errorf("got %v, expected 20 for visit and none for update", s)
	}
	if err := r.Launch(&host.Launch{Kernel: "visit", Registers: 32}); err != nil || s["visit"] != 32 {
		t.Errorf("a footprint that was asked for became %d", s["visit"])
	}
}
