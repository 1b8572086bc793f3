package scalar

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
)

// The model is the set of each warp's registers in the scalar file, and no time: accesses are far enough apart for each
// to end before the next.
func TestRandomAccessesFollowAModelOfTheScalarFile(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		keep, entries := rapid.Bool().Draw(rt, "affine"), rapid.IntRange(1, 4).Draw(rt, "entries")
		r := newRig(t, func(s *Spec) { s.Affine, s.Entries = keep, entries })
		held := map[ir.RegID]uint32{} // versions
		at := wire.Cycle(10)
		var writes, reads []event
		var given []operand
		for range rapid.IntRange(1, 40).Draw(rt, "accesses") {
			reg := ir.RegID(rapid.IntRange(0, 6).Draw(rt, "register"))
			at += 10
			seq, there := held[reg]
			if rapid.Bool().Draw(rt, "read") {
				r.Ask(at, 0, all, reg)
				if there {
					given = append(given, operand{at + 2, 0, seq})
				} else {
					reads = append(reads, event{at + 1, reg})
				}
				continue
			}
			lanes := rapid.SampledFrom([]uint32{all, all, 0xf0}).Draw(rt, "lanes")
			stride := rapid.SampledFrom([]uint32{0, 4}).Draw(rt, "stride")
			bent := rapid.Bool().Draw(rt, "bent")
			tag := r.ArriveOfClass(at, 0, reg, lanes, class(stride, bent))
			if lanes == all && !bent && (stride == 0 || keep) && (there || len(held) < entries) {
				held[reg] = tag
				continue
			}
			if there && lanes != all {
				writes = append(writes, event{at + 1, reg})
			}
			delete(held, reg)
			writes = append(writes, event{at + 1, reg})
		}
		r.Domain.RunUntil(at + 20)
		wiretest.Same(t, "written", writes, r.written())
		wiretest.Same(t, "read", reads, r.missed())
		wiretest.Same(t, "operands", given, r.given())
		if n := r.Checker.Total(); n > 0 {
			t.Errorf("%v", r.Checker.Violations())
		}
		if t.Failed() {
			rt.FailNow()
		}
	})
}
