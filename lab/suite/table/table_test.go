package main

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"kumiko/benchmarks"
	"kumiko/benchmarks/measured"
	"kumiko/gpus/config"
	"kumiko/lab/suite"
)

// The document is generated only from the registry and the committed figures.
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
		t.Errorf(`%s is out of date: run go run ./lab/suite/table -sizes ""`, docFile)
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

func TestEveryDisagreementWithAPaperHasItsReasonAndNoOther(t *testing.T) {
	var rows []row
	for _, a := range benchmarks.List() {
		rows = append(rows, row{a, measured.Of(a.Name)})
	}
	list, err := compare(rows)
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, c := range list {
		if c.agree(c.natural) {
			continue
		}
		used[c.key()] = true
		if reasons[c.key()] == "" {
			t.Errorf("no reason why %s is limited by %s, not by %v", c.key(), c.natural, c.want)
		}
	}
	for key := range reasons {
		if !used[key] {
			t.Errorf("a reason for %s, which agrees", key)
		}
	}
}

func TestRegistersDifferFromThePrintedOnesByAtMostAThirdAndEachForAReason(t *testing.T) {
	var rows []row
	for _, a := range benchmarks.List() {
		rows = append(rows, row{a, measured.Of(a.Name)})
	}
	list := footprints(rows)
	if m := medianDifference(list); m > 0.15 {
		t.Errorf("the median of the differences is %.3f, expected at most 0.15", m)
	}
	known := map[string]bool{}
	for _, c := range list {
		known[c.kernel] = true
		if d := c.difference(); d < -0.334 || d > 0.334 {
			t.Errorf("%s has %d registers, printed are %d", c.kernel, c.here, c.printed)
		}
	}
	for _, name := range slices.AppendSeq(slices.Collect(maps.Keys(published)), maps.Keys(causes)) {
		if !known[name] {
			t.Errorf("an entry for %s, whose registers no paper prints", name)
		}
	}
}

func TestResourcesThatTieAreAllNamed(t *testing.T) {
	cfg, err := config.Load(config.Request{GPU: "tesla-c2050"})
	if err != nil {
		t.Fatal(err)
	}
	// 1536/256 = 6 by threads, 32768/(256 x 20) = 6.4 by registers, and 48 KB/8 KB = 6.
	k := &benchmarks.KernelInfo{Block: [3]int{256, 1, 1}, Shared: 8192}
	if got := limit(cfg, k, 20); got != "registers = shared = threads" {
		t.Errorf("got %s", got)
	}
	if got := limit(cfg, k, 24); got != "registers" {
		t.Errorf("got %s", got)
	}
}

func TestBlocksArePrintedWithoutTrailingOnes(t *testing.T) {
	for want, b := range map[string][3]int{"256": {256, 1, 1}, "16x8": {16, 8, 1}, "8x4x2": {8, 4, 2},
		"8x1x2": {8, 1, 2}} {
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
