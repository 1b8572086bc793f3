package compressed

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
)

// given is an operand at its collector, with its cycle.
type given struct {
	At   wire.Cycle
	Tag  uint32
	Slot uint8
}

func (r *rig) given() (out []given) {
	for _, g := range r.Operand.Got {
		out = append(out, given{g.Cycle, g.Msg.Tag, g.Msg.Slot})
	}
	return out
}

func TestACompressedOperandTakesTheTimeOfDecompression(t *testing.T) {
	for _, c := range []int{1, 3} {
		r := newRig(t, func(s *Spec) { s.Decompression = c })
		r.bring(20, 7, 2|uint8(byHalf)<<formShift)
		r.Run()
		wiretest.Same(t, "operands", []given{{20 + wire.Cycle(c), 7, 2}}, r.given())
		r.WantStats(map[string]uint64{"decompressed": 1, "decompressor_waits": 0})
	}
}

func TestAnOperandThatIsNotCompressedPassesInACycle(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Decompression = 9 })
	r.bring(20, 7, 2|uint8(equal)<<formShift)
	r.bring(20, 8, 1)
	r.Run()
	wiretest.Same(t, "operands", []given{{21, 8, 1}, {29, 7, 2}}, r.given())
	r.WantStats(map[string]uint64{"decompressed": 1})
}

func TestADecompressorBeginsOneOperandInACycle(t *testing.T) {
	for n, want := range map[int][]given{1: {{21, 1, 0}, {22, 2, 0}, {23, 3, 0}},
		2: {{21, 1, 0}, {21, 2, 0}, {22, 3, 0}}} {
		r := newRig(t, func(s *Spec) { s.Decompressors = n })
		for tag := range uint32(3) {
			r.bring(20, tag+1, uint8(equal)<<formShift)
		}
		r.Run()
		wiretest.Same(t, "operands", want, r.given())
		r.WantStats(map[string]uint64{"decompressed": 3, "decompressor_waits": map[int]uint64{1: 3, 2: 1}[n]})
	}
}
