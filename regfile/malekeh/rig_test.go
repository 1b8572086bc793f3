package malekeh

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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

// rig is the units of a scheduler of four warps. The test acts as the scheduler, the collectors, write-back and the
// banks.
type rig struct {
	extensiontest.Bench
	t      *testing.T
	d      *wire.Domain
	u      *Units
	index  *bank.Index
	reg    stats.Registry
	notice *wiretest.Source[regfile.WarpNotice]
	tag    uint32
}

// newRig builds two units of three entries.
func newRig(t *testing.T, tune func(*Spec)) *rig {
	t.Helper()
	s := Default()
	s.Entries = 3
	if tune != nil {
		tune(&s)
	}
	r := &rig{t: t, d: wire.NewDomain("Core", 1e9)}
	index, err := bank.NewIndex(bank.ByRegister, 8, 4, 64, 1)
	if err != nil {
		t.Fatal(err)
	}
	r.index = index
	env := &regfile.Env{Domain: r.d, Stats: &r.reg, Name: "SM", Schedulers: 1, Warps: 4, Registers: 64,
		Checker: version.NewChecker(4, 64, 0)}
	p := &conventional.Part{Env: env, Name: "SM.SubCore[0]", SubCores: 1, Schedulers: 1, Index: index, Banks: 8,
		Collectors: 2, RequestRoom: 8, WriteRoom: 8, Writes: 1, Outputs: 2, Ends: 1, EndRoom: 8}
	if r.u, err = New(p, s); err != nil {
		t.Fatal(err)
	}
	r.notice = wiretest.NewSource("Scheduler", r.d, &r.u.Notices[0])
	r.Bench = extensiontest.Join(r.d, r.u.extension(), 32)
	return r
}

// source is a register read, and the hint on it.
type source struct {
	reg  ir.RegID
	hint bank.Hint
}

// issue makes the issue of an operation of a warp known at cycle at. It returns its tag.
func (r *rig) issue(at wire.Cycle, warp uint16, sources int) uint32 {
	r.tag++
	in := &ir.Inst{}
	in.T.NSrc = uint8(sources)
	r.notice.Send(at-1, regfile.WarpNotice{Event: regfile.WarpIssued, Warp: warp, Inst: in, Tag: r.tag, Exec: all})
	return r.tag
}

// request makes an operation's request of some lanes visible at cycle at.
func (r *rig) request(at wire.Cycle, warp uint16, tag, lanes uint32, list ...source) {
	q := bank.Request{Tag: tag, Lanes: lanes, Warp: warp, N: uint8(len(list)), To: 1}
	for i, s := range list {
		q.Reg[i], q.Slot[i], q.Hint[i] = s.reg, uint8(i), s.hint
		q.Bank[i], q.Entry[i] = r.index.Find(warp, s.reg)
	}
	r.Request.Send(at-1, q)
}

// ask makes the issue of an operation and its request visible at cycle at. It returns its tag.
func (r *rig) ask(at wire.Cycle, warp uint16, lanes uint32, list ...source) uint32 {
	tag := r.issue(at, warp, len(list))
	r.request(at, warp, tag, lanes, list...)
	return tag
}

// result has lanes of a register arrive at cycle at; seq is their version.
func (r *rig) result(at wire.Cycle, warp uint16, reg ir.RegID, lanes, seq uint32, hint bank.Hint) {
	a := bank.Access{Kind: bank.Write, Cause: bank.Result, Warp: warp, Reg: reg, Hint: hint,
		Content: version.Content{Seq: seq, Lanes: lanes}}
	a.Bank, a.Entry = r.index.Find(warp, reg)
	r.Result.Send(at-1, a)
}

// bring has the banks give source slot of an operation, visible at cycle at.
func (r *rig) bring(at wire.Cycle, tag uint32, slot uint8, lanes, seq uint32) {
	r.Fill.Send(at-1, bank.Value{Tag: tag, Slot: slot, Content: version.Content{Seq: seq, Lanes: lanes}})
}

// load gives a warp a unit with one register, read from cycle at on, and there two cycles later.
func (r *rig) load(at wire.Cycle, warp uint16, s source, seq uint32) {
	r.bring(at+2, r.ask(at, warp, all, s), 0, all, seq)
}

func (r *rig) notify(at wire.Cycle, warp uint16, e regfile.WarpEvent) {
	r.notice.Send(at-1, regfile.WarpNotice{Event: e, Warp: warp})
}

func (r *rig) run() { r.d.RunUntil(200) }

func (r *rig) stat(name string) uint64 { return r.reg.Snapshot()["regfile.malekeh."+name] }

// stats compares statistics with wanted values.
func (r *rig) stats(want map[string]uint64) {
	r.t.Helper()
	got := map[string]uint64{}
	for name := range want {
		got[name] = r.stat(name)
	}
	same(r.t, "statistics", want, got)
}

// event is the arrival of a register, with its cycle.
type event struct {
	At  wire.Cycle
	Reg ir.RegID
}

func (r *rig) written() []event { return extensiontest.Written[event](&r.Bench) }
func (r *rig) missed() []event  { return extensiontest.Missed[event](&r.Bench) }

// operand is an operand given by a unit, with its cycle and the version in lane 0.
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

func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}
