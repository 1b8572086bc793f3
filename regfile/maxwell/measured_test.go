package maxwell

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"kumiko/kernel/ir"
)

// measurements are the results of CuAssembler's microbenchmarks (TestData/microbench/RegBank) on
// a GPU of compute capability 5.0: cycles of six FFMAs, of as many warps as fit.
var measurements = filepath.Join("..", "..", "..", "shared", "data", "modern", "maxwell-regbank")

// tolerance is the permitted relative difference from measured cycles.
const tolerance = 0.03

// lines returns the groups of each line matching a pattern, of a file of measurements.
func lines(t *testing.T, file, pattern string, count int) [][]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(measurements, file))
	if err != nil {
		t.Skipf("the measurements are not there: %v", err)
	}
	out := regexp.MustCompile(`(?m)`+pattern).FindAllStringSubmatch(string(data), -1)
	if len(out) != count {
		t.Fatalf("%s has %d measurements, want %d", file, len(out), count)
	}
	return out
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// errors collects relative differences from measured cycles.
type errors struct {
	n, beyond  int // rows, and those beyond the tolerance
	worst, sum float64
}

func (e *errors) add(got, want float64) float64 {
	d := math.Abs(got/want - 1)
	e.n++
	e.sum += d
	e.worst = max(e.worst, d)
	if d > tolerance {
		e.beyond++
	}
	return d
}

func (e *errors) log(t *testing.T) {
	t.Helper()
	t.Logf("%d rows: mean error %.2f %%, worst %.2f %%, %d beyond %g %%", e.n, 100*e.sum/float64(e.n), 100*e.worst,
		e.beyond, 100*tolerance)
}

// pattern returns an instruction reading the given number of registers of each bank. No other instruction reads
// them.
func pattern(text string) *ir.Inst {
	var src []ir.RegID
	for b, c := range text {
		for i := range int(c - '0') {
			src = append(src, ir.RegID(24+4*i+b))
		}
	}
	return fma(-1, 0, src...)
}

func TestBankConflictsTakeTheCyclesMeasured(t *testing.T) {
	var e errors
	for _, m := range lines(t, "res_BankConflictComb.txt",
		`\[(\d{4}),(\d{4}),(\d{4})\] \(.*?\):\s*[\d.]+ \(\s*([\d.]+)\)`, 708) {
		got := perSix(t, Default(), load{seq: sequence(pattern(m[1]), pattern(m[2]), pattern(m[3])), warps: 1})
		if want := number(t, m[4]); e.add(got, want) > tolerance {
			t.Errorf("%s: %.2f cycles, measured %.2f", m[0], got, want)
		}
	}
	e.log(t)
}

// pair is the loop of the measurements of reuse: the first instruction reads its own result.
func pair(a, b ir.RegID, flags uint8) []ir.Inst {
	out := sequence(repeat(6, fma(-1, flags, a, b, 16))...)
	out[0].T.Src[2] = 4
	return out
}

func TestReuseTakesTheCyclesMeasured(t *testing.T) {
	var e errors
	for _, m := range lines(t, "res_ReuseBankConflict.txt",
		`^\(R(\d+)\s*, R(\d+)\s*, "(.)(.)"\):\s*[\d.]+ \(\s*([\d.]+)\)`, 256) {
		seq := pair(ir.RegID(number(t, m[1])), ir.RegID(number(t, m[2])), flagsOf(m[3]+m[4]))
		got := perSix(t, Default(), load{seq: seq, warps: 1})
		if want := number(t, m[5]); e.add(got, want) > tolerance {
			t.Errorf("%s: %.2f cycles, measured %.2f", m[0], got, want)
		}
	}
	e.log(t)
}
