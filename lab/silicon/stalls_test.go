package main

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"kumiko/gpus/config"
	"kumiko/gpus/probe"
	"kumiko/kernel/cuasm"
)

// stalling is a row of res_ReuseStall: six multiply-adds of several warps, with a stall count.
type stalling struct {
	text     string
	warps    int // of a sub-core
	measured float64
}

// stallRows returns the rows with stall counts obeyed literally without a yield flag.
func stallRows(t *testing.T) (out []stalling) {
	data, err := os.ReadFile("../../../shared/data/modern/maxwell-regbank/res_ReuseStall.txt")
	if err != nil {
		t.Skipf("the measurements are not there: %v", err)
	}
	pattern := regexp.MustCompile(`(?m)^#### \(R(\d+), R(\d+)\)|` +
		`^\[(.)(.)--:S(\d\d)\] \(RegNum=.*?Occu=\s*(\d+)\):\s*[\d.]+ \(\s*([\d.]+)\)`)
	var a, b string
	for _, m := range pattern.FindAllStringSubmatch(string(data), -1) {
		if m[1] != "" {
			a, b = m[1], m[2]
			continue
		}
		stall, _ := strconv.Atoi(m[5])
		if stall > 11 {
			continue
		}
		r := stalling{}
		r.warps, _ = strconv.Atoi(m[6])
		r.measured, _ = strconv.ParseFloat(m[7], 64)
		for i := range 6 {
			r.text += fmt.Sprintf("[B------:R-:W-:-:S%02d] FFMA R%d, %s, %s, R%d;\n", stall, 20+i, flagged(a, m[3]),
				flagged(b, m[4]), []int{4, 16}[min(i, 1)])
		}
		out = append(out, r)
	}
	return out
}

// With more than four warps a sub-core the cycles are those of four: a scheduler of the chip takes turns among four.
func TestWarpsThatStallTakeTheMeasuredCyclesInTheMeanOverPhases(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand machines")
	}
	rows := stallRows(t)
	if len(rows) != 236 {
		t.Fatalf("%d rows, want 236", len(rows))
	}
	const step, phases = 4, 24 // all rows take a minute
	sum, n := 0.0, 0
	for i := 0; i < len(rows); i += step {
		r := &rows[i]
		list, err := cuasm.Read("x.sass", []byte(r.text))
		if err != nil {
			t.Fatal(err)
		}
		code := list[0].Insts
		cfg, err := config.Load(config.Request{GPU: "gtx980-sm52",
			Base: append(probe.Settings(code), probe.Controlled)})
		if err != nil {
			t.Fatal(err)
		}
		got, err := probe.Run(cfg, code, strings.Split(r.text, "\n"), probe.Spec{Warps: 4 * min(r.warps, 4), Repeat: 40,
			Phases: phases})
		if err != nil {
			t.Fatal(err)
		}
		sum += math.Abs(got.Cycles/r.measured - 1)
		n++
	}
	t.Logf("%d rows, mean error %.2f %%", n, 100*sum/float64(n))
	if sum/float64(n) > 0.03 {
		t.Errorf("%d rows with a mean error of %.2f %%, want at most 3 %%", n, 100*sum/float64(n))
	}
}
