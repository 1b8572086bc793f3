package report

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/internal/page"
	"kumiko/study"
)

// The means of the runs are 4, 4.4 and 3.8, as those of the terminal: half of the interval of 95 % is 4.303 times
// 0.3055 / sqrt(3).
func TestTheMeanOfATableHasItsIntervalBesideIt(t *testing.T) {
	cells := []cell{{value: 2.0, sample: []float64{2, 2.2, 1.9}}, {value: 8.0, sample: []float64{8, 8.8, 7.6}}}
	c := &study.Column{Format: "%.3f"}
	if got, want := meanText(study.Geometric, cells, c), "4.00 ± 0.76"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	cells[1].sample = nil // no perturbed run
	cells[0].sample = nil
	if got := meanText(study.Geometric, cells, c); got != "4.000" {
		t.Errorf("without perturbed runs: %s, want 4.000", got)
	}
}

func TestOneProgramIsItsOwnMean(t *testing.T) {
	for n, want := range map[int]int{1: 0, 2: 1, 0: 1} {
		if got := study.Means(study.Geometric, n); len(got) != want {
			t.Errorf("%d programs have the means %v, want %d", n, got, want)
		}
	}
}

func TestATableOfManyColumnsAndFewRowsIsTurned(t *testing.T) {
	wide := &page.Table{Head: []string{""}, Rows: [][]string{{"bfs"}, {"fft"}}, Caption: "c",
		Class: func(r, c int) string { return fmt.Sprint(r, ",", c) }}
	for c := range mostAcross + 1 {
		wide.Head = append(wide.Head, fmt.Sprint("v", c))
		for r := range wide.Rows {
			wide.Rows[r] = append(wide.Rows[r], fmt.Sprint(r, c))
		}
	}
	got := turned(wide)
	if d := cmp.Diff([]string{"", "bfs", "fft"}, got.Head); d != "" || len(got.Rows) != mostAcross+1 ||
		got.Caption != "c" {
		t.Fatalf("head %v, %d rows", got.Head, len(got.Rows))
	}
	if d := cmp.Diff([]string{"v3", "0 3", "1 3"}, got.Rows[3]); d != "" || got.Class(3, 2) != "1,4" {
		t.Errorf("%s; class %q", d, got.Class(3, 2))
	}
	wide.Head = wide.Head[:mostAcross+1]
	if turned(wide) != wide {
		t.Error("a table of eight columns is turned")
	}
}
