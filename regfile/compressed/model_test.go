package compressed

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// The model is a form for each register, and no time: accesses are far enough apart for each to end before the next.
func TestRandomAccessesFollowAModelOfTheForms(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		delta := rapid.IntRange(0, 2).Draw(rt, "delta")
		r := newRig(t, func(s *Spec) { s.Delta = delta })
		forms := map[ir.RegID]form{}
		moves, at := uint32(0), wire.Cycle(10)
		var want []written
		var reads []asked
		for range rapid.IntRange(1, 40).Draw(rt, "accesses") {
			reg := ir.RegID(rapid.IntRange(0, 5).Draw(rt, "register"))
			lanes := rapid.SampledFrom([]uint32{all, all, 0xf, 0xff00}).Draw(rt, "lanes")
			at += 20
			if rapid.Bool().Draw(rt, "read") {
				n := forms[reg].banks()
				if forms[reg] == full {
					n = int(bank.LaneGroups(lanes))
				}
				r.Ask(at, 0, lanes, reg)
				reads = append(reads, asked{at + 1, []ir.RegID{reg}, n, forms[reg]})
				continue
			}
			v := stream.Value(rapid.IntRange(0, 3).Draw(rt, "class"))
			r.ArriveOfClass(at, 0, reg, lanes, v)
			f := full
			if lanes == all && int(v) <= delta {
				f = form(v) + equal
			}
			switch {
			case lanes == all:
				want = append(want, written{at + 2, reg, f.banks(), bank.Result})
			case forms[reg] == full:
				want = append(want, written{at + 1, reg, int(bank.LaneGroups(lanes)), bank.Result})
			default: // the value comes 5 cycles later, is decompressed, and seen
				moves++
				r.bring(at+5, moves, toCompressors|uint8(forms[reg])<<formShift)
				reads = append(reads, asked{at + 1, []ir.RegID{reg}, forms[reg].banks(), forms[reg]})
				want = append(want, written{at + 7, reg, groups, bank.Expansion},
					written{at + 7, reg, int(bank.LaneGroups(lanes)), bank.Result})
			}
			forms[reg] = f
		}
		r.Domain.RunUntil(at + 40)
		wiretest.Same(t, "writes", want, r.writes())
		wiretest.Same(t, "reads", reads, r.asks())
		if n := r.Checker.Total(); n > 0 {
			t.Errorf("%v", r.Checker.Violations())
		}
		if t.Failed() {
			rt.FailNow()
		}
	})
}
