package compressed

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile/conventional/extensiontest"
)

const all = version.FullMask

// rig is the compressors and decompressors of a scheduler of four warps. The test also acts as the network.
type rig struct {
	*extensiontest.Bench
	c    *Compressors
	ends *wiretest.Source[bank.Value]
}

// newRig builds blocks with one compressor and one decompressor.
func newRig(t *testing.T, tune func(*Spec)) *rig {
	t.Helper()
	s := Default()
	s.Decompressors = 1
	if tune != nil {
		tune(&s)
	}
	r := &rig{Bench: extensiontest.New(t, extensiontest.Shape{Design: "compressed", Banks: 4, Warps: 4, Registers: 16,
		Values: true})}
	r.c = newCompressors(r.Part, s)
	d := newDecompressors(r.Part, s)
	wire.Connect(&d.Moved, &r.c.Moved, 1)
	r.ends = wiretest.NewSource("Network", r.Domain, &d.Ends[0])
	r.Join(extension(r.c, d, r.Part), &r.c.Notices[0], 32)
	return r
}

// bring has the network bring a value at cycle at.
func (r *rig) bring(at wire.Cycle, tag uint32, slot uint8) {
	r.ends.Send(at-1, bank.Value{Tag: tag, To: 1, Slot: slot, Content: version.Content{Seq: tag, Lanes: all}})
}

// written is a write, with the cycle in which the arbiter sees it.
type written struct {
	At    wire.Cycle
	Reg   ir.RegID
	Banks int // 16-byte banks
	Cause bank.Cause
}

func (r *rig) writes() (out []written) {
	for _, g := range r.Write.Got {
		n := int(bank.LaneGroups(g.Msg.Content.Mask()))
		if g.Msg.Kind == bank.Packed {
			n = int(g.Msg.Slot)
		}
		out = append(out, written{g.Cycle, g.Msg.Reg, n, g.Msg.Cause})
	}
	return out
}

// asked is a read of registers, with the cycle in which the arbiter sees it.
type asked struct {
	At    wire.Cycle
	Regs  []ir.RegID
	Banks int // 16-byte banks of each
	Form  form
}

func (r *rig) asks() (out []asked) {
	for _, g := range r.Read.Got {
		out = append(out, asked{g.Cycle, append([]ir.RegID(nil), g.Msg.Reg[:g.Msg.N]...),
			int(bank.LaneGroups(g.Msg.Lanes)), form(g.Msg.Slot[0] >> formShift)})
	}
	return out
}
