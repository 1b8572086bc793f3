package compressed

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

// rig is the compressors and decompressors of a scheduler of four warps. The test acts as the scheduler, the
// collectors, write-back, the banks and the network.
type rig struct {
	extensiontest.Bench
	t      *testing.T
	d      *wire.Domain
	c      *Compressors
	index  *bank.Index
	reg    stats.Registry
	check  *version.Checker
	values *version.Values
	notice *wiretest.Source[regfile.WarpNotice]
	ends   *wiretest.Source[bank.Value]
	tag    uint32
}

// newRig builds blocks with one compressor and one decompressor.
func newRig(t *testing.T, tune func(*Spec)) *rig {
	t.Helper()
	s := Default()
	s.Decompressors = 1
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
	r.c = newCompressors(p, s)
	d := newDecompressors(p, s)
	wire.Connect(&d.Moved, &r.c.Moved, 1)
	r.notice = wiretest.NewSource("Scheduler", r.d, &r.c.Notices[0])
	r.ends = wiretest.NewSource("Network", r.d, &d.Ends[0])
	r.Bench = extensiontest.Join(r.d, extension(r.c, d, p), 32)
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

// request has a request of some lanes of registers arrive at cycle at. It returns its tag.
func (r *rig) request(at wire.Cycle, warp uint16, lanes uint32, regs ...ir.RegID) uint32 {
	r.tag++
	q := bank.Request{Tag: r.tag, Lanes: lanes, Warp: warp, N: uint8(len(regs)), To: 1}
	for i, reg := range regs {
		q.Reg[i], q.Slot[i] = reg, uint8(i)
		q.Bank[i], q.Entry[i] = r.index.Find(warp, reg)
	}
	r.Request.Send(at-1, q)
	return r.tag
}

// bring has the network bring a value at cycle at.
func (r *rig) bring(at wire.Cycle, tag uint32, slot uint8) {
	r.ends.Send(at-1, bank.Value{Tag: tag, To: 1, Slot: slot, Content: version.Content{Seq: tag, Lanes: all}})
}

func (r *rig) run() { r.d.RunUntil(300) }

// stats compares statistics with wanted values.
func (r *rig) stats(want map[string]uint64) {
	r.t.Helper()
	got, now := map[string]uint64{}, r.reg.Snapshot()
	for name := range want {
		got[name] = now["regfile.compressed."+name]
	}
	same(r.t, "statistics", want, got)
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

func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}
