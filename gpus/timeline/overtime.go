package timeline

// maxSpans is the most spans that the time of a profile is divided into.
const maxSpans = 64

// overTime counts the cycles of waits for each bank in spans of time. The spans double in length when time goes beyond
// the last, so that a profile of any length has a bounded number.
type overTime struct {
	from, length uint64
	banks        [][maxSpans]uint64
}

// begin sets the first cycle.
func (x *overTime) begin(from uint64) { x.from, x.length = from, 1 }

// add counts a cycle.
func (x *overTime) add(bank int, at uint64) {
	for len(x.banks) <= bank {
		x.banks = append(x.banks, [maxSpans]uint64{})
	}
	for (at-x.from)/x.length >= maxSpans {
		x.length *= 2
		for b := range x.banks {
			n := &x.banks[b]
			for i := range maxSpans / 2 {
				n[i] = n[2*i] + n[2*i+1]
			}
			clear(n[maxSpans/2:])
		}
	}
	x.banks[bank][(at-x.from)/x.length]++
}

// TimeReport has the cycles of waits for each bank in spans of equal length.
type TimeReport struct {
	From   uint64     `json:"from"`   // the first cycle of the first span
	Length uint64     `json:"length"` // of a span, in cycles
	Banks  []BankTime `json:"banks"`
}

// BankTime has the cycles of waits for a bank in each span.
type BankTime struct {
	Bank   string           `json:"bank"`
	Cycles [maxSpans]uint64 `json:"cycles"`
}

func (x *overTime) report(names []string) TimeReport {
	out := TimeReport{From: x.from, Length: x.length, Banks: []BankTime{}}
	for b, name := range names {
		t := BankTime{Bank: name}
		if b < len(x.banks) {
			t.Cycles = x.banks[b]
		}
		out.Banks = append(out.Banks, t)
	}
	return out
}
