package malekeh

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

// rig is the units of a scheduler of four warps.
type rig struct {
	*extensiontest.Bench
	u *Units
}

// newRig builds two units of three entries.
func newRig(t *testing.T, tune func(*Spec)) *rig {
	t.Helper()
	s := Default()
	s.Entries = 3
	if tune != nil {
		tune(&s)
	}
	r := &rig{Bench: extensiontest.New(t, extensiontest.Shape{Design: "malekeh", Banks: 8, Warps: 4, Registers: 64})}
	var err error
	if r.u, err = New(r.Part, s); err != nil {
		t.Fatal(err)
	}
	r.Join(r.u.extension(), &r.u.Notices[0], 32)
	return r
}

// source is a register read, and the hint on it.
type source struct {
	reg  ir.RegID
	hint bank.Hint
}

// issue makes the issue of an operation of a warp known at cycle at. It returns its tag.
func (r *rig) issue(at wire.Cycle, warp uint16, sources int) uint32 {
	r.Tag++
	in := &ir.Inst{}
	in.T.NSrc = uint8(sources)
	r.Notice.Send(at-1, regfile.WarpNotice{Event: regfile.WarpIssued, Warp: warp, Inst: in, Tag: r.Tag, Exec: all})
	return r.Tag
}

// request makes an operation's request of some lanes visible at cycle at.
func (r *rig) request(at wire.Cycle, warp uint16, tag, lanes uint32, list ...source) {
	q := bank.Request{Tag: tag, Lanes: lanes, Warp: warp, N: uint8(len(list)), To: 1}
	for i, s := range list {
		q.Reg[i], q.Slot[i], q.Hint[i] = s.reg, uint8(i), s.hint
		q.Bank[i], q.Entry[i] = r.Index.Find(warp, s.reg)
	}
	r.Request.Send(at-1, q)
}

// ask makes the issue of an operation and its request visible at cycle at. It returns its tag.
func (r *rig) ask(at wire.Cycle, warp uint16, lanes uint32, list ...source) uint32 {
	tag := r.issue(at, warp, len(list))
	r.request(at, warp, tag, lanes, list...)
	return tag
}

// load gives a warp a unit with one register, read from cycle at on, and there two cycles later.
func (r *rig) load(at wire.Cycle, warp uint16, s source, seq uint32) {
	r.Bring(at+2, r.ask(at, warp, all, s), 0, all, seq)
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
