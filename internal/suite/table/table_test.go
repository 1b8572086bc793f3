package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"kumiko/benchmarks"
	"kumiko/benchmarks/measured"
	"kumiko/internal/suite"
)

// The document is made of the registry and the committed figures and nothing else.
func TestTheDocumentIsWhatTheFiguresMake(t *testing.T) {
	t.Chdir("../../..")
	counts, err := load[measured.App](measuredFile)
	if err != nil {
		t.Fatal(err)
	}
	seconds, err := load[suite.Timing](timedFile)
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := document(&want, counts, seconds); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(docFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf(`%s is out of date: run go run ./internal/suite/table -sizes ""`, docFile)
	}
}

func TestEveryLaunchWithFewCTAsHasItsReasonAndNoOther(t *testing.T) {
	used := map[string]bool{}
	for _, a := range benchmarks.List() {
		m := measured.Of(a.Name)
		if m == nil {
			t.Fatalf("%s has not been measured", a.Name)
		}
		for i, w := range m.Sizes["study"].Work {
			name := a.Name + " " + w.Kernel
			if w.CTAs >= benchmarks.StudyCTAs(a.Kernels[i].Threads()) {
				continue
			}
			used[name] = true
			if few[name] == "" {
				t.Errorf("no reason for the %d CTAs of %s", w.CTAs, name)
			}
		}
	}
	for name := range few {
		if !used[name] {
			t.Errorf("a reason for %s, which has enough CTAs", name)
		}
	}
}

func TestBlocksArePrintedWithoutTrailingOnes(t *testing.T) {
	for want, b := range map[string][3]int{"256": {256, 1, 1}, "16x8": {16, 8, 1}, "8x4x2": {8, 4, 2}, "8x1x2": {8, 1, 2}} {
		if got := block(b); got != want {
			t.Errorf("%v is printed as %s, expected %s", b, got, want)
		}
	}
}

func TestPapersAreListedInOneOrder(t *testing.T) {
	a := &benchmarks.App{Papers: map[string]string{"sharing": "b", "cerf": "a", "ltrf": "c"}}
	if got := papers(a); strings.Join(strings.Fields(got), " ") != "cerf: a; ltrf: c; sharing: b" {
		t.Errorf("got %s", got)
	}
}

func TestAFigureIsPutInItsPlace(t *testing.T) {
	name := func(s *string) string { return (*s)[:1] }
	list := []string{"a1", "C1"}
	for _, s := range []string{"b1", "c2", "d1", "A2"} {
		put(&list, s, name)
	}
	if got := strings.Join(list, " "); got != "A2 b1 c2 d1" {
		t.Errorf("got %s", got)
	}
}
