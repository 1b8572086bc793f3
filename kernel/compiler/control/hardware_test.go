package control

import (
	"strings"
	"testing"

	"kumiko/kernel/ir"
)

// chip returns the hardware of the table for sm_86, changed by tune.
func chip(tune func(*Hardware)) *Hardware {
	hw := &Hardware{Reads: Reads{Variable: 1, Guarded: 5}}
	for c := range ir.NumClasses {
		if c.FixedLatency() {
			hw.Latency[c] = 4
		}
	}
	if tune != nil {
		tune(hw)
	}
	return hw
}

// stallBefore returns the stall count before a reader of an addition's result.
func stallBefore(t *testing.T, hw *Hardware, reader ir.Class) uint8 {
	t.Helper()
	m := machine(t, "sm_86")
	code := make([]ir.Inst, 2)
	code[0].T.Class, code[0].T.NDst, code[0].T.Dst[0] = ir.ClassInt, 1, 5
	code[1].T.Class, code[1].T.NSrc, code[1].T.Src[0] = reader, 1, 5
	return Sequence(code, m.On(hw))[0].Control.Stall
}

func TestTheStallCountFollowsTheLatencyOfTheMachine(t *testing.T) {
	for latency, want := range map[int]uint8{4: 4, 9: 9} {
		hw := chip(func(h *Hardware) { h.Latency[ir.ClassInt] = latency })
		if got := stallBefore(t, hw, ir.ClassInt); got != want {
			t.Errorf("latency %d: a stall of %d, want %d", latency, got, want)
		}
	}
}

func TestAReaderThatReadsEarlierWaitsLonger(t *testing.T) {
	hw := chip(func(h *Hardware) { h.Variable = 3 })
	if got := stallBefore(t, hw, ir.ClassLoad); got != 7 {
		t.Errorf("a stall of %d before a load, want 7", got)
	}
}

func TestAResultOfNoFixedTimeGetsACounter(t *testing.T) {
	m := machine(t, "sm_86")
	code := make([]ir.Inst, 2)
	code[0].T.Class, code[0].T.NDst, code[0].T.Dst[0] = ir.ClassInt, 1, 5
	code[1].T.Class, code[1].T.NSrc, code[1].T.Src[0] = ir.ClassInt, 1, 5
	out := Sequence(code, m.On(chip(func(h *Hardware) { h.Latency[ir.ClassInt] = 0 })))
	if w := out[0].Control.Write; w >= ir.Counters || out[1].Control.Wait != 1<<w {
		t.Errorf("words %v and %v, want a counter that the second waits for", out[0].Control, out[1].Control)
	}
}

func TestRegistersThatDoNotFitIntoAWindowTakeAnother(t *testing.T) {
	r := Reads{Window: 3, Ports: 1, Banks: 2}
	for n, want := range map[int]int{3: 0, 6: 0, 7: 3, 10: 3} {
		in := &ir.Inst{}
		for i := range n {
			in.T.Src[i] = ir.RegID(i)
		}
		in.T.NSrc = uint8(n)
		if got := r.extra(in); got != want {
			t.Errorf("%d registers in turns: %d more cycles, want %d", n, got, want)
		}
	}
}

func TestWordsFromElsewhereAreRefusedWhereResultsAreLater(t *testing.T) {
	m := machine(t, "sm_86")
	in := &ir.Inst{}
	in.T.Class, in.T.NDst = ir.ClassFAdd, 1
	for latency, want := range map[int]string{4: "", 5: "latency of 5 cycles of class fadd, expected at most 4",
		0: "no fixed time"} {
		err := m.Late(chip(func(h *Hardware) { h.Latency[ir.ClassFAdd] = latency }), in)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("latency %d: %v, want %q", latency, err, want)
		}
	}
}
