package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// module writes a module of one package beside its test.
func module(t *testing.T, source, test string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "a.go": source, "a_test.go": test} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// outcomes tries every mutant of the package at dir. With short only the short tests run.
func outcomes(t *testing.T, dir string, short bool) *trial {
	t.Helper()
	list, err := load(dir, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	tried, err := tryPackage(list[0], dir, options{workers: 1, short: short})
	if err != nil {
		t.Fatal(err)
	}
	return tried
}

func TestAMutantDiesWhereATestNoticesItAndSurvivesWhereNoneDoes(t *testing.T) {
	tried := outcomes(t, module(t, `package m

type size uint8

const limit = 4 + 4 // a constant has no mutants

func Clamp(a, b size) size {
	if a+b*2 > limit {
		return limit
	}
	return a + b*2
}

func Unused(n int) int { return -n }

func Count(list []int) (n int) {
	for range list {
		n++
	}
	return
}
`, `package m

import "testing"

func TestClamp(t *testing.T) {
	if Clamp(1, 2) != 5 || Clamp(3, 4) != 8 {
		t.Fatal("wrong")
	}
	Count([]int{1}) // nothing is checked
}
`), false)
	var got []string
	for i, m := range tried.mutants {
		got = append(got, tried.outcome[i]+" "+m.String())
	}
	want := []string{
		"killed a.go:8:11: Clamp: negation, a+b*2 > limit becomes <=",
		"survived a.go:8:11: Clamp: boundary, a+b*2 > limit becomes >=",
		"killed a.go:8:6: Clamp: arithmetic, a+b*2 becomes -",
		"killed a.go:8:8: Clamp: arithmetic, b*2 becomes /",
		"killed a.go:11:11: Clamp: arithmetic, a + b*2 becomes -",
		"killed a.go:11:14: Clamp: arithmetic, b*2 becomes /",
		"not reached a.go:14:33: Unused: sign, -n becomes +",
		"survived a.go:18:4: Count: increment, n++ becomes --",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("outcomes (-want +got):\n%s", d)
	}
}

func TestAnEndlessLoopIsAKilledMutant(t *testing.T) {
	tried := outcomes(t, module(t, `package m

func Sum(n int) (s int) {
	for i := 0; i != n; i++ {
		s |= i
	}
	return s
}
`, `package m

import "testing"

func TestSum(t *testing.T) { Sum(3) }
`), false)
	if d := cmp.Diff([]string{survived, killed}, tried.outcome); d != "" {
		t.Errorf("outcomes of !=, ++ (-want +got):\n%s", d)
	}
}

func TestAMutantThatLongTestsAloneReachIsNotReachedWithoutThem(t *testing.T) {
	dir := module(t, "package m\n\nfunc Neg(n int) int { return -n }\n", `package m

import "testing"

func TestNeg(t *testing.T) {
	if !testing.Short() {
		Neg(1)
	}
}
`)
	for short, want := range map[bool]string{false: survived, true: unreached} {
		if d := cmp.Diff([]string{want}, outcomes(t, dir, short).outcome); d != "" {
			t.Errorf("short %v: outcome of the sign (-want +got):\n%s", short, d)
		}
	}
}

func TestTestsThatFailWithoutAMutantAreAnError(t *testing.T) {
	dir := module(t, "package m\n\nfunc Neg(n int) int { return -n }\n", `package m

import "testing"

func TestNeg(t *testing.T) {
	if Neg(1) != 1 {
		t.Fatal("wrong")
	}
}
`)
	err := run(&strings.Builder{}, dir, []string{"."}, options{workers: 1})
	if err == nil || !strings.Contains(err.Error(), "the tests fail without a mutant") {
		t.Errorf("error %v", err)
	}
}

func TestAnExplainedSurvivorDoesNotCount(t *testing.T) {
	tried := &trial{
		mutants: []mutant{{file: "a.go", function: "F", before: "i < n", after: "<="},
			{file: "a.go", function: "F", before: "i < n", after: ">="}},
		outcome: []string{survived, killed},
	}
	tried.explain([]explanation{{File: "a.go", Function: "F", Expression: "i < n", After: "<=",
		Why: "the array ends with a guard"}})
	var out strings.Builder
	row(&out, "m", tried.count(map[string]int{}))
	if got, want := out.String(), "m\t2\t1\t0\t0\t1\t100.0 %\n"; got != want {
		t.Errorf("row %q, want %q", got, want)
	}
}

func TestASampleIsTheSameInEachRunAndInOrder(t *testing.T) {
	drawn := func() (ids []int) {
		tried := &trial{mutants: make([]mutant, 50), outcome: make([]string, 50)}
		for i := range tried.mutants {
			tried.mutants[i].id = i + 1
		}
		tried.draw(20)
		for _, m := range tried.mutants {
			ids = append(ids, m.id)
		}
		return ids
	}
	ids := drawn()
	if len(slices.Compact(slices.Clone(ids))) != 20 || !slices.IsSorted(ids) || ids[19] == 20 {
		t.Errorf("a sample of 20 in 50 is %v", ids)
	}
	if d := cmp.Diff(ids, drawn()); d != "" {
		t.Errorf("the second sample (-first +second):\n%s", d)
	}
}

func TestEveryExplanationSaysWhy(t *testing.T) {
	known, err := explanations(equivalents)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range known {
		if e.File == "" || e.Function == "" || e.Expression == "" || e.After == "" || e.Why == "" {
			t.Errorf("%+v leaves something out", e)
		}
	}
}

func TestEveryExplanationIsOfAFunctionThatExists(t *testing.T) {
	known, err := explanations(equivalents)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range known {
		source, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(e.File)))
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		name := e.Function[strings.LastIndex(e.Function, ".")+1:]
		if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + regexp.QuoteMeta(name) + `\b`).Match(source) {
			t.Errorf("%s has no function %s", e.File, e.Function)
		}
	}
}
