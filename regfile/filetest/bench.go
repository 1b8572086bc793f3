// Package filetest is shared by the tests of whole register files. A test has the other end of each of a file's ports,
// and so acts as the schedulers, the units and the scoreboards.
package filetest

import (
	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// Test is a test, or a property of rapid.
type Test interface {
	Helper()
	Error(args ...any)
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

// File is a register file with the ports of every one.
type File interface{ DataPorts() *regfile.Ports }

// Bench has a source or a sink for each port of a file, by its name and number there.
type Bench struct {
	T       Test
	Domain  *wire.Domain
	Stats   stats.Registry
	Checker *version.Checker
	Tag     uint32 // of the last operation

	Issue   []*wiretest.Source[op.Op]
	Result  []*wiretest.Source[op.Result]
	Warps   []*wiretest.Source[regfile.WarpNotice] // nil in a file without notices
	Units   []*wiretest.Sink[op.Op]
	Done    []*wiretest.Sink[op.Done]
	Early   []*wiretest.Sink[op.Done]
	Reading []*wiretest.Sink[op.Read]
}

// New builds a bench for the file that build makes from env. New sets env's Domain, Stats and Name, and its Checker if
// it has none. room has, by unit, the number of operations for which the unit has room; further units have as much as
// the last.
func New[F File](t Test, env *regfile.Env, build func() (F, error), room ...int) (*Bench, F) {
	t.Helper()
	b := &Bench{T: t, Domain: wire.NewDomain("Core", 1e9)}
	if env.Checker == nil {
		env.Checker = version.NewChecker(env.Warps, env.Registers, 0)
	}
	env.Domain, env.Stats, env.Name, b.Checker = b.Domain, &b.Stats, "SM[0]", env.Checker
	f, err := build()
	if err != nil {
		t.Fatal(err)
	}
	p := f.DataPorts()
	for _, in := range p.Issue {
		b.Issue = append(b.Issue, wiretest.NewSource("Scheduler", b.Domain, in))
	}
	for _, in := range p.Result {
		b.Result = append(b.Result, wiretest.NewSource("Pipeline", b.Domain, in))
	}
	if n, ok := any(f).(interface{ Notices() regfile.Notices }); ok {
		for _, in := range n.Notices().Warp {
			b.Warps = append(b.Warps, wiretest.NewSource("Warps", b.Domain, in))
		}
	}
	for u, out := range p.Ready {
		b.Units = append(b.Units, wiretest.NewSink("Unit", b.Domain, out, room[min(u, len(room)-1)]))
	}
	for _, out := range p.Done {
		b.Done = append(b.Done, wiretest.NewSink("Scoreboard", b.Domain, out, 8))
	}
	for _, out := range p.Early {
		b.Early = append(b.Early, wiretest.NewSink("Scoreboard", b.Domain, out, 8))
	}
	for _, out := range p.Read {
		b.Reading = append(b.Reading, wiretest.NewSink("Reads", b.Domain, out, 8))
	}
	return b, f
}

// Inst returns an instruction that writes and reads registers.
func Inst(dst []ir.RegID, src ...ir.RegID) *ir.Inst {
	in := &ir.Inst{}
	in.T.NSrc, in.T.NDst = uint8(copy(in.T.Src[:], src)), uint8(copy(in.T.Dst[:], dst))
	return in
}

// Send makes an operation visible to the file at a cycle. It returns the operation with its tag.
func (b *Bench) Send(at wire.Cycle, o op.Op) op.Op {
	b.Tag++
	o.Tag, o.Issued = b.Tag, at-1
	b.Checker.Issue(&o)
	b.Issue[o.Sched].Send(at-1, o)
	return o
}

// Finish makes the result of an operation visible to the file at a cycle, on a result port.
func (b *Bench) Finish(at wire.Cycle, port int, o op.Op) { b.Result[port].Send(at-1, o.Result()) }

// Stat returns a statistic of the file.
func (b *Bench) Stat(name string) uint64 { return b.Stats.Snapshot()["regfile."+name] }

// Sound fails the test where an operand was not the newest version.
func (b *Bench) Sound() {
	b.T.Helper()
	for _, v := range b.Checker.Violations() {
		b.T.Error(v)
	}
}

// Checked fails the test where an operand was not the newest version, or where not so many operands were looked at.
func (b *Bench) Checked(operands uint64) {
	b.T.Helper()
	b.Sound()
	if n := b.Checker.Checked(); n != operands {
		b.T.Errorf("%d operands were checked, want %d", n, operands)
	}
}

// FMA returns a multiply-add that reads registers in slots a, b and c under flags of reuse, a bit per slot, and writes
// one; dst negative: none.
func FMA(dst int, reuse uint8, src ...ir.RegID) *ir.Inst {
	in := &ir.Inst{Control: ir.Plain(1)}
	in.Control.Reuse = reuse
	in.T.Class = ir.ClassFMA
	in.T.NSrc = uint8(copy(in.T.Src[:], src))
	for i := range src {
		in.T.Slots |= uint32(min(i, ir.OperandSlots-1)) << (2 * i)
	}
	if dst >= 0 {
		in.T.Dst[0], in.T.NDst = ir.RegID(dst), 1
	}
	return in
}
