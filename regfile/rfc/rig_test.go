package rfc

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
)

const all = version.FullMask

// rig is a cache alone, with sources and sinks at all its ports.
type rig struct {
	d       *wire.Domain
	c       *Cache
	reg     stats.Registry
	ask     *wiretest.Source[bank.Request]
	result  *wiretest.Source[bank.Access]
	notice  *wiretest.Source[regfile.WarpNotice]
	capture *wiretest.Source[bank.Capture]
	fill    *wiretest.Source[bank.Value]
	reads   *wiretest.Sink[bank.Request]
	writes  *wiretest.Sink[bank.Access]
	values  *wiretest.Sink[bank.Value]
	version uint32
}

// newRig builds the cache of an SM with one scheduler and eight warps of 32
// registers, of which so many are active at once.
func newRig(t testing.TB, s Spec, active int) *rig {
	t.Helper()
	r := &rig{d: wire.NewDomain("Core", 1e9)}
	index, err := bank.NewIndex(bank.ByRegister, 4, 8, 32, 1)
	if err != nil {
		t.Fatal(err)
	}
	p := &conventional.Part{
		Env: &regfile.Env{Domain: r.d, Stats: &r.reg, Name: "SM[0]", Schedulers: 1, Warps: 8, Active: active,
			Registers: 32,
			Checker:   version.NewChecker(8, 32, 0)},
		Name: "SM[0].RegFile.SubCore[0]", SubCores: 1, Schedulers: 1, Index: index, Collectors: 4, RequestRoom: 8,
		WriteRoom: 8, Writes: 4,
	}
	if r.c, err = New(p, s); err != nil {
		t.Fatal(err)
	}
	b := r.c.extension()
	r.ask = wiretest.NewSource("Collectors", r.d, b.Request)
	r.result = wiretest.NewSource("Writeback", r.d, b.Result)
	r.notice = wiretest.NewSource("Scheduler", r.d, &r.c.Notices[0])
	r.capture = wiretest.NewSource("Bus", r.d, &r.c.Captured)
	r.fill = wiretest.NewSource("Values", r.d, &r.c.Fill)
	r.reads = wiretest.NewSink("Reads", r.d, b.Read, 2*p.RequestRoom)
	r.writes = wiretest.NewSink("Writes", r.d, b.Write, 2*(p.Writes+b.Writes))
	r.values = wiretest.NewLooseSink[bank.Value]("Operands", r.d, (b.Latency+1)*b.Operands)
	wire.Connect(b.Operand, &r.values.In, b.Latency)
	return r
}

// with is the default cache, changed.
func with(f func(s *Spec)) Spec {
	s := Default()
	if f != nil {
		f(&s)
	}
	return s
}

// tell makes a notice visible to the cache at cycle at.
func (r *rig) tell(at wire.Cycle, warp uint16, events ...regfile.WarpEvent) {
	for _, e := range events {
		r.notice.Send(at-1, regfile.WarpNotice{Warp: warp, Event: e})
	}
}

// start makes warps 0 to n-1 active at cycle 2.
func (r *rig) start(n int) {
	for w := range n {
		r.tell(2, uint16(w), regfile.WarpStarted, regfile.WarpActivated)
	}
}

// write makes an arithmetic result for some lanes of a register visible to the
// cache at cycle at, and returns its version.
func (r *rig) write(at wire.Cycle, warp uint16, reg ir.RegID, lanes uint32) uint32 {
	return r.writeAs(at, warp, reg, lanes, 0)
}

func (r *rig) writeAs(at wire.Cycle, warp uint16, reg ir.RegID, lanes uint32, w bank.Word) uint32 {
	r.version++
	a := bank.Access{Content: version.Content{Seq: r.version, Lanes: lanes}, Tag: r.version, Kind: bank.Write,
		Cause: bank.Result}
	a.Bank, a.Entry = r.c.index.Find(warp, reg)
	a.Warp, a.Reg, a.Word = warp, reg, w
	r.result.Send(at-1, a)
	return r.version
}

// request is a read of registers by some lanes; its tag is the cycle in which
// the cache sees it.
func (r *rig) request(at wire.Cycle, warp uint16, lanes uint32, regs ...ir.RegID) bank.Request {
	q := bank.Request{Tag: uint32(at), Lanes: lanes, Warp: warp, N: uint8(len(regs)), To: 3}
	for i, x := range regs {
		q.Reg[i], q.Slot[i] = x, uint8(i)
		q.Bank[i], q.Entry[i] = r.c.index.Find(warp, x)
	}
	return q
}

func (r *rig) read(at wire.Cycle, warp uint16, lanes uint32, regs ...ir.RegID) {
	r.ask.Send(at-1, r.request(at, warp, lanes, regs...))
}

// readLast is a read of one register that no lane needs afterwards.
func (r *rig) readLast(at wire.Cycle, warp uint16, lanes uint32, reg ir.RegID) {
	q := r.request(at, warp, lanes, reg)
	q.Word[0] = readLast
	r.ask.Send(at-1, q)
}

func (r *rig) run() { r.d.RunUntil(200) }

func (r *rig) stat(name string) uint64 { return r.reg.Snapshot()["regfile.rfc."+name] }

// event is something that the cache sent: what of which register, and when it
// arrived.
type event struct {
	At  wire.Cycle
	Reg ir.RegID
}

// written are the registers that arrived at the main file.
func (r *rig) written() (out []event) {
	for _, g := range r.writes.Got {
		out = append(out, event{g.Cycle, g.Msg.Reg})
	}
	return out
}

// missed are the registers whose reads arrived at the main file.
func (r *rig) missed() (out []event) {
	for _, g := range r.reads.Got {
		for i := range g.Msg.N {
			out = append(out, event{g.Cycle, g.Msg.Reg[i]})
		}
	}
	return out
}

// same compares.
func same(t testing.TB, what string, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func cycles(c ...wire.Cycle) []wire.Cycle { return c }
