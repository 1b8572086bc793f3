package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"kumiko/benchmarks"
)

func TestTheDocumentHasEveryApplicationAndKernel(t *testing.T) {
	doc, err := os.ReadFile("../../../docs/benchmarks.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range benchmarks.List() {
		rows := []string{fmt.Sprintf("| %s | %s | %s |", a.Name, a.Suite, a.Summary)}
		for _, k := range a.Kernels {
			rows = append(rows, fmt.Sprintf("| %s | %s | %s |", a.Name, k.Name, block(k.Block)))
		}
		for _, row := range rows {
			if !bytes.Contains(doc, []byte("\n"+row)) {
				t.Errorf("docs/benchmarks.md has no row %s: run go run ./benchmarks/internal/table", row)
			}
		}
	}
}

func TestARunIsMeasuredByKernel(t *testing.T) {
	// 2021 elements in 8 CTAs of 8 warps, the last of which has 5 lanes. All lanes
	// execute all instructions but those whose guard is false, the branch past the
	// end among them.
	m, err := measure(benchmarks.Find("vecadd"), benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	if m.launches != 1 || m.ctas["vecadd"] != 8 || m.insts != m.share["vecadd"] || m.insts == 0 {
		t.Errorf("got %+v", m)
	}
	if full := float64(m.lanes) / float64(m.insts); full <= 28 || full >= 32 {
		t.Errorf("%.2f lanes on average, expected somewhat less than 32", full)
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
