package bow

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional/extensiontest"
)

const all = version.FullMask

// rig is the windows of a scheduler of four warps.
type rig struct {
	*extensiontest.Bench
	w   *Windows
	ops map[uint32]*ir.Inst
}

func newRig(t *testing.T, tune func(*Spec)) *rig {
	t.Helper()
	s := Default()
	if tune != nil {
		tune(&s)
	}
	r := &rig{Bench: extensiontest.New(t, extensiontest.Shape{Design: "bow", Banks: 8, Warps: 4, Registers: 16}),
		ops: map[uint32]*ir.Inst{}}
	var err error
	if r.w, err = New(r.Part, s); err != nil {
		t.Fatal(err)
	}
	r.Join(r.w.extension(), &r.w.Notices[0], 8)
	return r
}

// inst reads some registers and writes one; negative: none.
func inst(dst int, src ...ir.RegID) *ir.Inst {
	in := &ir.Inst{}
	in.T.NSrc = uint8(copy(in.T.Src[:], src))
	if dst >= 0 {
		in.T.Dst[0], in.T.NDst = ir.RegID(dst), 1
	}
	return in
}

// issue makes the issue of an instruction of warp 1 known at cycle at. It returns its tag.
func (r *rig) issue(at wire.Cycle, in *ir.Inst) uint32 {
	r.Tag++
	r.ops[r.Tag] = in
	r.Notice.Send(at-1, regfile.WarpNotice{Event: regfile.WarpIssued, Warp: 1, Inst: in, Tag: r.Tag, Exec: all})
	return r.Tag
}

// pass has instructions without registers pass.
func (r *rig) pass(at wire.Cycle, n int) {
	for range n {
		r.issue(at, inst(-1))
	}
}

// ask requests the sources of an instruction for some lanes, visible at cycle at.
func (r *rig) ask(at wire.Cycle, tag, lanes uint32) {
	in := r.ops[tag]
	q := r.Reading(tag, 1, lanes, in.T.Src[:in.T.NSrc]...)
	for i := range q.N {
		q.Hint[i] = bank.Hint(in.T.Dead >> i & 1)
	}
	r.Request.Send(at-1, q)
}

// result has lanes of a register of warp 1 arrive at cycle at; seq is their version.
func (r *rig) result(at wire.Cycle, reg ir.RegID, lanes, seq uint32) {
	r.Arrive(at, 1, reg, lanes, seq, 0)
}

// event is the arrival of a register, with its cycle.
type event struct {
	At  wire.Cycle
	Reg ir.RegID
}

func (r *rig) written() []event { return extensiontest.Written[event](r.Bench) }
func (r *rig) missed() []event  { return extensiontest.Missed[event](r.Bench) }

// operand is an operand that the design gave, with its cycle, its operation and the version in lane 0.
type operand struct {
	At  wire.Cycle
	Tag uint32
	Seq uint32
}

func (r *rig) given() (out []operand) {
	for _, g := range r.Operand.Got {
		out = append(out, operand{g.Cycle, g.Msg.Tag, g.Msg.Content.Lane(0)})
	}
	return out
}
