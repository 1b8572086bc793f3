package scalar

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/bank"
	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
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

// rig is the scalar file of a scheduler of four warps. The test acts as the scheduler, the collectors, write-back and
// the banks.
type rig struct {
	extensiontest.Bench
	t      *testing.T
	d      *wire.Domain
	x      *Scalars
	index  *bank.Index
	reg    stats.Registry
	check  *version.Checker
	values *version.Values
	notice *wiretest.Source[regfile.WarpNotice]
	tag    uint32
}

func newRig(t *testing.T, tune func(*Spec)) *rig {
	t.Helper()
	s := Default()
	if tune != nil {
		tune(&s)
	}
	r := &rig{t: t, d: wire.NewDomain("Core", 1e9), check: version.NewChecker(4, 16, 0),
		values: version.NewValues(4, 16, true)}
	index, err := bank.NewIndex(bank.ByRegister, 4, 4, 16, 1)
	if err != nil {
		t.Fatal(err)
	}
	r.index = index
	env := &regfile.Env{Domain: r.d, Stats: &r.reg, Name: "SM", Schedulers: 1, Warps: 4, Registers: 16,
		Checker: r.check, Values: r.values}
	p := &conventional.Part{Env: env, Name: "SM.SubCore[0]", SubCores: 1, Schedulers: 1, Index: index, Banks: 4,
		Collectors: 2, RequestRoom: 8, WriteRoom: 8, Writes: 1, Outputs: 2, Ends: 1, EndRoom: 8}
	r.x = newScalars(p, s)
	r.notice = wiretest.NewSource("Scheduler", r.d, &r.x.Notices[0])
	r.Bench = extensiontest.Join(r.d, r.x.extension(), 32)
	return r
}

// result has lanes of a register arrive at cycle at, with a class of the register. It returns the version.
func (r *rig) result(at wire.Cycle, warp uint16, reg ir.RegID, lanes uint32, v stream.Value) uint32 {
	r.tag++
	in := &ir.Inst{}
	in.T.NDst, in.T.Dst[0] = 1, reg
	r.values.Issue(&op.Op{Inst: in, Tag: r.tag, Exec: lanes, Warp: warp}, []stream.Value{v})
	a := bank.Access{Kind: bank.Write, Cause: bank.Result, Warp: warp, Reg: reg,
		Content: version.Content{Seq: r.tag, Lanes: lanes}}
	a.Bank, a.Entry = r.index.Find(warp, reg)
	r.Result.Send(at-1, a)
	return r.tag
}

// request has a request of registers arrive at cycle at. It returns its tag.
func (r *rig) request(at wire.Cycle, warp uint16, regs ...ir.RegID) uint32 {
	r.tag++
	q := bank.Request{Tag: r.tag, Lanes: all, Warp: warp, N: uint8(len(regs)), To: 1}
	for i, reg := range regs {
		q.Reg[i], q.Slot[i] = reg, uint8(i)
		q.Bank[i], q.Entry[i] = r.index.Find(warp, reg)
	}
	r.Request.Send(at-1, q)
	return r.tag
}

func (r *rig) run() { r.d.RunUntil(300) }

// stats compares statistics with wanted values.
func (r *rig) stats(want map[string]uint64) {
	r.t.Helper()
	got, now := map[string]uint64{}, r.reg.Snapshot()
	for name := range want {
		got[name] = now["regfile.scalar."+name]
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

func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}
