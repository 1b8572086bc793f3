package query

import (
	"math"
	"strings"
	"testing"

	"kumiko/components/storage"
	"kumiko/regfile"
)

// arrays are a bank of 64 entries of 32 bits, and a queue beside what the paper counts.
func arrays() []regfile.State {
	return []regfile.State{
		{Block: "Bank", What: "registers", Count: 2, Bits: 2 * 64 * 32, Ports: "1rw", Kind: storage.SRAM, Width: 32},
		{Block: "Queue", What: "registers", Count: 1, Bits: 100, Kind: storage.FlipFlop, Width: 100, Apart: true},
	}
}

// Cells of 146 F^2 in 45 nm; flip-flops of 4.522 um^2 with a multiplexer of 1.862 um^2.
func TestTheAreaOfAVariantIsThatOfTheRowsAskedFor(t *testing.T) {
	r := run("new", "vecadd", 0, 1)
	r.Result.Storage = arrays()
	q := ask(run("base", "vecadd", 0, 1), r)
	bank, queue := 2*146*0.045*0.045*32*(1.372*64+0.572*32)/1e6, 100*(4.522+1.862)/1e6
	for code, want := range map[string]float64{
		`area("new", "", "")`: bank + queue, `area("new", "Bank", "registers")`: bank, `area("new", "Queue", "")`: queue,
		`area("new", "", "registers")`: bank + queue, `area("new", "apart", "")`: queue, `area("base", "", "")`: 0,
		`area("new", "apart", "tags")`: 0,
	} {
		v, err := q.Eval(code, At{})
		n, _ := v.Number()
		if err != nil || math.Abs(n-want) > 1e-12 {
			t.Errorf("%s is %v, %v; want %v", code, n, err, want)
		}
	}
}

func TestAnAreaThatCannotBeComputedIsAnError(t *testing.T) {
	r, old := run("new", "vecadd", 0, 1), run("base", "vecadd", 0, 1)
	r.Result.Storage = arrays()
	old.Result.Storage = []regfile.State{{Block: "Bank", What: "registers", Count: 1, Bits: 8, Ports: "1rw"}}
	q := ask(old, r)
	for code, want := range map[string]string{
		`area("new", "Bank", "lids")`: `variant new reports no area of block "Bank", "lids"`,
		`area("base", "", "")`:        "the records are of a version that kept no shapes of arrays",
	} {
		if v, err := q.Eval(code, At{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v, %v; want %q", code, v, err, want)
		}
	}
	r.Result.Storage[0].Kind = "rom"
	if _, err := ask(r).Eval(`area("new", "", "")`, At{}); err == nil || !strings.Contains(err.Error(), `"rom"`) {
		t.Errorf("an array of rom: error %v", err)
	}
}
