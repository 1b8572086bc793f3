package scalar

import (
	"testing"

	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/regfile/conventional/extensiontest"
)

const all = version.FullMask

// class returns the class of a warp's words with a difference from lane to lane, and one more in the last lane if bent.
func class(stride uint32, bent bool) stream.Value {
	var words [32]uint32
	for l := range words {
		words[l] = 7 + uint32(l)*stride
	}
	if bent {
		words[31]++
	}
	return stream.Classify(&words, 32)
}

// rig is the scalar file of a scheduler of four warps.
type rig struct {
	*extensiontest.Bench
	x *Scalars
}

func newRig(t *testing.T, tune func(*Spec)) *rig {
	t.Helper()
	s := Default()
	if tune != nil {
		tune(&s)
	}
	r := &rig{Bench: extensiontest.New(t, extensiontest.Shape{Design: "scalar", Banks: 4, Warps: 4, Registers: 16,
		Values: true})}
	r.x = newScalars(r.Part, s)
	r.Join(r.x.extension(), &r.x.Notices[0], 32)
	return r
}

// operand is an operand from the scalar file, with its cycle, its source and its version.
type operand struct {
	At   wire.Cycle
	Slot uint8
	Seq  uint32
}

func (r *rig) given() (out []operand) {
	for _, g := range r.Operand.Got {
		out = append(out, operand{g.Cycle, g.Msg.Slot, g.Msg.Content.Lane(0)})
	}
	return out
}

// event is the arrival of a register, with its cycle.
type event struct {
	At  wire.Cycle
	Reg ir.RegID
}

func (r *rig) written() []event { return extensiontest.Written[event](r.Bench) }
func (r *rig) missed() []event  { return extensiontest.Missed[event](r.Bench) }
