// Package extensiontest is shared by the tests of a design's single block. It provides the sub-core for which the
// block is built, and a test's ends of the ports of its extension.
package extensiontest

import (
	"testing"

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
)

// Shape is the sub-core of one scheduler before which an extension stands.
type Shape struct {
	Design           string // statistics are those of regfile.Design
	Banks            int
	Warps, Registers int
	Active           int  // warps that may be active; 0: all
	Values           bool // the classes of registers' values are known
}

// Bench has a test's ends of the ports of an extension, by their names there. An end is nil where the
// extension has no port. The test acts as the scheduler, the collectors, write-back, the arbiter and the banks.
type Bench struct {
	T       testing.TB
	Part    *conventional.Part
	Domain  *wire.Domain
	Stats   stats.Registry
	Checker *version.Checker
	Values  *version.Values
	Index   *bank.Index
	Tag     uint32 // of the last operation
	design  string

	Notice   *wiretest.Source[regfile.WarpNotice]
	Request  *wiretest.Source[bank.Request]
	Result   *wiretest.Source[bank.Access]
	Fill     *wiretest.Source[bank.Value]
	Captured *wiretest.Source[bank.Capture]
	Read     *wiretest.Sink[bank.Request]
	Write    *wiretest.Sink[bank.Access]
	Operand  *wiretest.Sink[bank.Value]
}

// New builds a bench, and the Part from which the test builds its extension. Then Join joins the two.
func New(t testing.TB, s Shape) *Bench {
	t.Helper()
	b := &Bench{T: t, Domain: wire.NewDomain("Core", 1e9), Checker: version.NewChecker(s.Warps, s.Registers, 0),
		design: s.Design}
	if s.Values {
		b.Values = version.NewValues(s.Warps, s.Registers, true)
	}
	var err error
	if b.Index, err = bank.NewIndex(bank.ByRegister, s.Banks, s.Warps, s.Registers, 1); err != nil {
		t.Fatal(err)
	}
	b.Part = &conventional.Part{
		Env: &regfile.Env{Domain: b.Domain, Stats: &b.Stats, Name: "SM[0]", Schedulers: 1, Warps: s.Warps,
			Active: s.Active, Registers: s.Registers, Checker: b.Checker, Values: b.Values},
		Name: "SM[0].RegFile.SubCore[0]", SubCores: 1, Schedulers: 1, Index: b.Index, Banks: s.Banks, Collectors: 2,
		RequestRoom: 8, WriteRoom: 8, Writes: 1, Outputs: 2, Ends: 1, EndRoom: 8,
	}
	return b
}

// Join joins the bench to an extension and to its port for the notices of warps. room is the capacity of the bench's
// sinks. They see an operand after the extension's latency, and another message a cycle after it is sent.
func (b *Bench) Join(x *conventional.Extension, notices *wire.InPort[regfile.WarpNotice], room int) {
	b.Notice = source("Scheduler", b.Domain, notices)
	b.Request, b.Result = source("Request", b.Domain, x.Request), source("Result", b.Domain, x.Result)
	b.Fill, b.Captured = source("Fill", b.Domain, x.Fill), source("Captured", b.Domain, x.Captured)
	b.Read, b.Write = sink("Read", b.Domain, x.Read, room, 1), sink("Write", b.Domain, x.Write, room, 1)
	b.Operand = sink("Operand", b.Domain, x.Operand, room, x.Latency)
}

// Run runs 200 cycles, after which a short test has come to rest.
func (b *Bench) Run() { b.Domain.RunUntil(200) }

// Stat returns a statistic of the design.
func (b *Bench) Stat(name string) uint64 { return b.Stats.Snapshot()["regfile."+b.design+"."+name] }

// WantStats compares statistics of the design with wanted values.
func (b *Bench) WantStats(want map[string]uint64) {
	b.T.Helper()
	got, now := map[string]uint64{}, b.Stats.Snapshot()
	for name := range want {
		got[name] = now["regfile."+b.design+"."+name]
	}
	wiretest.Same(b.T, "statistics", want, got)
}

// Notify makes events of a warp known at a cycle.
func (b *Bench) Notify(at wire.Cycle, warp uint16, events ...regfile.WarpEvent) {
	for _, e := range events {
		b.Notice.Send(at-1, regfile.WarpNotice{Warp: warp, Event: e})
	}
}

// Arrive has a version of some lanes of a register arrive from write-back at a cycle.
func (b *Bench) Arrive(at wire.Cycle, warp uint16, reg ir.RegID, lanes, seq uint32, hint bank.Hint) {
	a := bank.Access{Kind: bank.Write, Cause: bank.Result, Tag: seq, Warp: warp, Reg: reg, Hint: hint,
		Content: version.Content{Seq: seq, Lanes: lanes}}
	a.Bank, a.Entry = b.Index.Find(warp, reg)
	b.Result.Send(at-1, a)
}

// ArriveOfClass has some lanes of a register arrive at a cycle, with the class of their values. It returns their
// version.
func (b *Bench) ArriveOfClass(at wire.Cycle, warp uint16, reg ir.RegID, lanes uint32, v stream.Value) uint32 {
	b.Tag++
	in := &ir.Inst{}
	in.T.NDst, in.T.Dst[0] = 1, reg
	b.Values.Issue(&op.Op{Inst: in, Tag: b.Tag, Exec: lanes, Warp: warp}, []stream.Value{v})
	b.Arrive(at, warp, reg, lanes, b.Tag, 0)
	return b.Tag
}

// Reading returns the request of an operation in collector 1 for some lanes of registers, in slots from 0 on.
func (b *Bench) Reading(tag uint32, warp uint16, lanes uint32, regs ...ir.RegID) bank.Request {
	q := bank.Request{Tag: tag, Lanes: lanes, Warp: warp, N: uint8(len(regs)), To: 1}
	for i, reg := range regs {
		q.Reg[i], q.Slot[i] = reg, uint8(i)
		q.Bank[i], q.Entry[i] = b.Index.Find(warp, reg)
	}
	return q
}

// Ask has a new operation's request for some lanes of registers arrive at a cycle. It returns the operation's tag.
func (b *Bench) Ask(at wire.Cycle, warp uint16, lanes uint32, regs ...ir.RegID) uint32 {
	b.Tag++
	b.Request.Send(at-1, b.Reading(b.Tag, warp, lanes, regs...))
	return b.Tag
}

// Bring has the banks give lanes of an operation's source at a cycle.
func (b *Bench) Bring(at wire.Cycle, tag uint32, slot uint8, lanes, seq uint32) {
	b.Fill.Send(at-1, bank.Value{Tag: tag, Slot: slot, Content: version.Content{Seq: seq, Lanes: lanes}})
}

// Event is the arrival of a register, with its cycle. A test declares a type of its own of this kind.
type Event interface {
	~struct {
		At  wire.Cycle
		Reg ir.RegID
	}
}

// Written returns the writes of registers that have arrived at the arbiter.
func Written[E Event](b *Bench) (out []E) {
	for _, g := range b.Write.Got {
		out = append(out, E{At: g.Cycle, Reg: g.Msg.Reg})
	}
	return out
}

// Missed returns the reads of registers that have arrived at the arbiter.
func Missed[E Event](b *Bench) (out []E) {
	for _, g := range b.Read.Got {
		for i := range g.Msg.N {
			out = append(out, E{At: g.Cycle, Reg: g.Msg.Reg[i]})
		}
	}
	return out
}

func source[T any](name string, d *wire.Domain, in *wire.InPort[T]) *wiretest.Source[T] {
	if in == nil {
		return nil
	}
	return wiretest.NewSource(name, d, in)
}

func sink[T any](name string, d *wire.Domain, out *wire.OutPort[T], room, latency int) *wiretest.Sink[T] {
	if out == nil {
		return nil
	}
	s := wiretest.NewLooseSink[T](name, d, room)
	wire.Connect(out, &s.In, latency)
	return s
}
