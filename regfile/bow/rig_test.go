package bow

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
	"kumiko/regfile/conventional/extensiontest"
)

const all = version.FullMask

// rig is the windows of a scheduler of four warps. The test acts as the scheduler, the collector, write-back and
// the banks.
type rig struct {
	extensiontest.Bench
	d      *wire.Domain
	w      *Windows
	reg    stats.Registry
	notice *wiretest.Source[regfile.WarpNotice]
	tag    uint32
	ops    map[uint32]*ir.Inst
}

func newRig(t *testing.T, tune func(*Spec)) *rig {
	t.Helper()
	s := Default()
	if tune != nil {
		tune(&s)
	}
	r := &rig{d: wire.NewDomain("Core", 1e9), ops: map[uint32]*ir.Inst{}}
	index, err := bank.NewIndex(bank.ByRegister, 8, 4, 64, 1)
	if err != nil {
		t.Fatal(err)
	}
	env := &regfile.Env{Domain: r.d, Stats: &r.reg, Name: "SM", Schedulers: 1, Warps: 4, Registers: 16,
		Checker: version.NewChecker(4, 16, 0)}
	p := &conventional.Part{Env: env, Name: "SM.SubCore[0]", SubCores: 1, Schedulers: 1, Index: index, Banks: 8,
		Collectors: 2, RequestRoom: 8, WriteRoom: 8, Writes: 1, Outputs: 2, Ends: 1, EndRoom: 8}
	if r.w, err = New(p, s); err != nil {
		t.Fatal(err)
	}
	r.notice = wiretest.NewSource("Scheduler", r.d, &r.w.Notices[0])
	r.Bench = extensiontest.Join(r.d, r.w.extension(), 8)
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
	r.tag++
	r.ops[r.tag] = in
	r.notice.Send(at-1, regfile.WarpNotice{Event: regfile.WarpIssued, Warp: 1, Inst: in, Tag: r.tag, Exec: all})
	return r.tag
}

// pass has instructions without registers pass.
func (r *rig) pass(at wire.Cycle, n int) {
	for range n {
		r.issue(at, inst(-1))
	}
}

// notify makes another event of warp 1 known at cycle at.
func (r *rig) notify(at wire.Cycle, e regfile.WarpEvent) {
	r.notice.Send(at-1, regfile.WarpNotice{Event: e, Warp: 1})
}

// ask requests the sources of an instruction for some lanes, visible at cycle at.
func (r *rig) ask(at wire.Cycle, tag, lanes uint32) {
	in := r.ops[tag]
	q := bank.Request{Tag: tag, Lanes: lanes, Warp: 1, N: in.T.NSrc, To: 1}
	for i, reg := range in.T.Src[:in.T.NSrc] {
		q.Reg[i], q.Slot[i], q.Hint[i] = reg, uint8(i), bank.Hint(in.T.Dead>>i&1)
		q.Bank[i], q.Entry[i] = r.w.index.Find(1, reg)
	}
	r.Request.Send(at-1, q)
}

// result has lanes of a register arrive at cycle at; seq is their version.
func (r *rig) result(at wire.Cycle, reg ir.RegID, lanes, seq uint32) {
	a := bank.Access{Kind: bank.Write, Cause: bank.Result, Warp: 1, Reg: reg,
		Content: version.Content{Seq: seq, Lanes: lanes}}
	a.Bank, a.Entry = r.w.index.Find(1, reg)
	r.Result.Send(at-1, a)
}

// bring has the banks give source slot of an operation, visible at cycle at.
func (r *rig) bring(at wire.Cycle, tag uint32, slot uint8, seq uint32) {
	r.Fill.Send(at-1, bank.Value{Tag: tag, Slot: slot, Content: version.Content{Seq: seq, Lanes: all}})
}

func (r *rig) run() { r.d.RunUntil(200) }

func (r *rig) stat(name string) uint64 { return r.reg.Snapshot()["regfile.bow."+name] }

// event is the arrival of a register, with its cycle.
type event struct {
	At  wire.Cycle
	Reg ir.RegID
}

func (r *rig) written() []event { return extensiontest.Written[event](&r.Bench) }
func (r *rig) missed() []event  { return extensiontest.Missed[event](&r.Bench) }

// given are the operations that got an operand from the window, the version in lane 0, and when.
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
