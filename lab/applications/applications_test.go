//go:build unix

package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestEachProgramOfTheTablesHasItsCheck(t *testing.T) {
	all, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	counted := map[string]int{}
	for _, p := range all {
		if p.Uncounted == "" {
			counted[p.suite]++
		}
	}
	for suite, want := range map[string]int{"polybench": 15, "rodinia": 19, "parboil": 11, "hecbench": 20,
		"sdk": 6, "ispass": 2} {
		if counted[suite] < want {
			t.Errorf("%s has %d programs, want at least %d", suite, counted[suite], want)
		}
	}
	for what, p := range map[string]program{
		"nothing to check": {Name: "a", Folder: "b", Run: "./a"},
		"no such check":    {Name: "a", Folder: "b", Check: "none"},
		"cpu alone":        {Name: "a", Folder: "b", CPU: "./cpu"},
		"unknown input":    {Name: "a", Folder: "b", Expect: "x", Inputs: [][]string{{"none", "file"}}},
	} {
		if p.check() == nil {
			t.Errorf("%s is accepted", what)
		}
	}
}

func TestFilesWithOtherNumbersDiffer(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a", "1) cost: 2.5\nXE: 1e3\n")
	write("b", "1) cost: 2.501\nXE: 1e3\n")
	write("c", "1) cost: 2.5\n")
	for _, c := range []struct {
		other, format, lines string
		tolerance            float64
		equal                bool
	}{
		{"a", "text", "", 0, true}, {"b", "text", "", 0, false}, {"b", "text", "", 1e-3, true},
		{"c", "text", "", 1, false},
		{"b", "lines", "^XE: .*$", 0, true}, {"b", "lines", "^none$", 0, false}, {"b", "u8", "", 0, false},
		{"a", "f32", "", 0, true},
	} {
		x := comparison{Ours: "a", Theirs: c.other, Format: c.format, Lines: c.lines, Tolerance: c.tolerance}
		if err := x.equal(dir); (err == nil) != c.equal {
			t.Errorf("%s as %s with tolerance %g: %v, want equal %v", c.other, c.format, c.tolerance, err, c.equal)
		}
	}
	if close("a number", []float64{math.NaN()}, []float64{1}, 1, 1) == nil {
		t.Error("no number equals 1")
	}
}

func TestTheWaveletOfAConstantImageIsItsMean(t *testing.T) {
	at := make([]int, 16)
	for i := range at {
		at[i] = 9
	}
	level(at, 4)
	for i, v := range at {
		if want := 9 * (1 - min(i/4, 1)); v != want {
			t.Errorf("coefficient %d is %d, want %d", i, v, want)
		}
	}
	// An edge in a line of four values: the predictions are 0, 5 and 10, 10; the updates are -8/4 and -3/4, towards
	// zero.
	line := []int{0, 0, 10, 10}
	lift(4, func(i int) *int { return &line[i] })
	if want := [4]int{-2, -5, 10, 0}; [4]int(line) != want {
		t.Errorf("the line is %v, want %v", line, want)
	}
}

func TestACheckFindsAWrongResult(t *testing.T) {
	dir := t.TempDir()
	x, y, sum, u := []float64{1, 2, 3}, []float64{4, 5, 6}, []float64{0.2, 0.5, 1}, []float64{0.1, 0.3, 2}
	frame := func(newX []float64) {
		var text []byte
		for i, v := range [][]float64{x, y, x, y, sum, u, {4, 5, 6}, newX} {
			text = binary.LittleEndian.AppendUint64(text, map[bool]uint64{false: 1, true: 2}[i > 5])
			text = binary.LittleEndian.AppendUint64(text, uint64(8*len(v)))
			for _, f := range v {
				text = binary.LittleEndian.AppendUint64(text, math.Float64bits(f))
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "observed.bin"), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	frame([]float64{1, 2, 3})
	if err := particles(dir); err != nil {
		t.Error(err)
	}
	frame([]float64{1, 3, 3})
	if err := particles(dir); err == nil || !strings.Contains(err.Error(), "1 of 3 numbers differ") {
		t.Errorf("found %v, want one difference", err)
	}
}

func TestLIBsPortfolioIsAsItsPrintedValue(t *testing.T) {
	dir := t.TempDir()
	run := func(change string) error {
		text := "v  =    224.32331848\nTime(No Greeks) : 1 msec\nv  =    224.32334900\nLb =     " + change + "\n"
		if err := os.WriteFile(filepath.Join(dir, "run.log"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return libor(dir)
	}
	if err := run("21.34813881"); err != nil {
		t.Error(err)
	}
	if run("21.4") == nil {
		t.Error("another sensitivity is accepted")
	}
}

// The faces of a mesh lead to each other: where a cell has a neighbour, that has the cell.
func TestAMeshsCellsAreNeighboursOfEachOther(t *testing.T) {
	var w bytes.Buffer
	mesh(&w, rand.New(rand.NewPCG(1, 2)), []int{100, 12}, nil)
	lines := strings.Split(strings.TrimSpace(w.String()), "\n")
	cells := lines[1:]
	if lines[0] != "100" || len(cells) != 100 {
		t.Fatalf("found %q and %d cells, want 100", lines[0], len(cells))
	}
	behind := func(cell, face int) int {
		k, err := strconv.Atoi(strings.Fields(cells[cell])[1+4*face])
		if err != nil {
			t.Fatal(err)
		}
		return k - 1
	}
	inner := 0
	for c := range cells {
		for face := range 4 {
			if k := behind(c, face); k >= 0 {
				inner++
				if back := behind(k, face^1); back != c {
					t.Errorf("cell %d has %d behind face %d, and that has %d", c, k, face, back)
				}
			}
		}
	}
	if inner < 300 {
		t.Errorf("%d faces have a cell behind them, want most of 400", inner)
	}
}

func TestAnEditThatDoesNotFitIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.cu")
	if err := os.WriteFile(file, []byte("#define N 2048\n#define M 2048\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := edit(file, "2048", "64"); err == nil {
		t.Error("two matches are accepted")
	}
	if err := edit(file, "N 2048", "N 64"); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(file); string(text) != "#define N 64\n#define M 2048\n" {
		t.Errorf("found %q", text)
	}
}
