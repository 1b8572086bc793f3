package shrf

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional/extensiontest"
)

const all = version.FullMask

// bench is an upper level of a scheduler of four warps, two of them active. Its plan has one strand: entry 0 keeps
// register 4, entry 1 register 5, with results of register 5 written to the main file too.
type bench struct {
	*extensiontest.Bench
	x *Upper
}

func newBench(t *testing.T, s Spec) *bench {
	t.Helper()
	b := &bench{Bench: extensiontest.New(t, extensiontest.Shape{Design: "shrf", Banks: 8, Warps: 4, Registers: 16,
		Active: 2})}
	var err error
	if b.x, err = New(b.Part, s); err != nil {
		t.Fatal(err)
	}
	strand := Strand{Live: set(4)}
	strand.keep(4, 0)
	strand.keep(5, 1)
	strand.Through.Add(5)
	b.x.plan = &Plan{Strands: []Strand{strand}, LiveAt: []intervals.Set{set(4, 5), set(5)}}
	b.Join(b.x.extension(), &b.x.Notices[0], 8)
	return b
}

func set(regs ...int) (s intervals.Set) {
	for _, r := range regs {
		s.Add(r)
	}
	return s
}

// enter has a warp start, become active and enter the strand, all told at cycle at.
func (b *bench) enter(at wire.Cycle, warp uint16) {
	for _, e := range []regfile.WarpEvent{regfile.WarpStarted, regfile.WarpActivated, regfile.WarpInserted} {
		b.Notice.Send(at, regfile.WarpNotice{Warp: warp, Event: e})
	}
}

// result writes lanes of a register; seq is its version.
func (b *bench) result(at wire.Cycle, warp uint16, reg ir.RegID, lanes, seq uint32) {
	b.Result.Send(at, bank.Access{Kind: bank.Write, Warp: warp, Reg: reg,
		Content: version.Content{Lanes: lanes}.Write(seq, lanes)})
}

// wants requests lanes of registers; slots are numbered from 0.
func (b *bench) wants(at wire.Cycle, warp uint16, lanes uint32, regs ...ir.RegID) {
	r := bank.Request{Tag: uint32(at), Lanes: lanes, Warp: warp, N: uint8(len(regs))}
	for i, reg := range regs {
		r.Reg[i], r.Slot[i] = reg, uint8(i)
		r.Bank[i], r.Entry[i] = b.Index.Find(warp, reg)
	}
	b.Request.Send(at, r)
}

// written returns the registers written to the main file, in order.
func (b *bench) written() (out []ir.RegID) {
	for _, g := range b.Write.Got {
		out = append(out, g.Msg.Reg)
	}
	return out
}

func TestAResultOfTheStrandIsKeptAndGivenToItsReaders(t *testing.T) {
	b := newBench(t, Default())
	b.enter(1, 0)
	b.result(4, 0, 4, all, 7)
	b.wants(6, 0, all, 4)
	b.Domain.RunUntil(30)
	if len(b.Operand.Got) != 1 || len(b.Read.Got) != 0 {
		t.Fatalf("%d operands given and %d reads passed on, want 1 and 0", len(b.Operand.Got), len(b.Read.Got))
	}
	// asked at 6, seen at 7, given to the link at 7, at its end at 8
	if g := b.Operand.Got[0]; g.Cycle != 9 || g.Msg.Content.Lane(0) != 7 {
		t.Errorf("version %d in cycle %d, want 7 in 9", g.Msg.Content.Lane(0), g.Cycle)
	}
	if len(b.Write.Got) != 0 {
		t.Errorf("%v written to the main file, want nothing", b.written())
	}
}

func TestAResultThatIsReadBeyondTheStrandGoesToTheMainFileToo(t *testing.T) {
	b := newBench(t, Default())
	b.enter(1, 0)
	b.result(4, 0, 5, all, 7)
	b.Notice.Send(10, regfile.WarpNotice{Warp: 0, Event: regfile.WarpSuspended, PC: 1})
	b.Domain.RunUntil(30)
	if d := cmp.Diff([]ir.RegID{5}, b.written()); d != "" {
		t.Errorf("written to the main file, once, at the result (-want +got):\n%s", d)
	}
	if b.Stat("through") != 1 || b.Stat("flushed") != 0 {
		t.Errorf("%d results went through and %d were flushed, want 1 and 0", b.Stat("through"), b.Stat("flushed"))
	}
}

func TestARegisterWithoutAnEntryIsReadAndWrittenInTheMainFile(t *testing.T) {
	b := newBench(t, Default())
	b.enter(1, 0)
	b.result(4, 0, 9, all, 7)
	b.result(5, 1, 4, all, 8) // the warp is in no strand
	b.wants(8, 0, all, 9)
	b.Domain.RunUntil(30)
	if d := cmp.Diff([]ir.RegID{9, 4}, b.written()); d != "" {
		t.Errorf("written (-want +got):\n%s", d)
	}
	if len(b.Read.Got) != 1 || len(b.Operand.Got) != 0 || b.Stat("past") != 2 {
		t.Errorf("%d reads passed on, %d operands given, %d results past the level; want 1, 0, 2", len(b.Read.Got),
			len(b.Operand.Got), b.Stat("past"))
	}
}

func TestWhatAMissBringsIsKeptForTheNextReader(t *testing.T) {
	b := newBench(t, Default())
	b.enter(1, 0)
	b.wants(4, 0, all, 4)
	b.Domain.RunUntil(10)
	if len(b.Read.Got) != 1 {
		t.Fatalf("%d reads passed on, want 1", len(b.Read.Got))
	}
	r := b.Read.Got[0].Msg
	b.Fill.Send(11, bank.Value{Tag: r.Tag, Slot: r.Slot[0], Content: version.Content{Lanes: all}.Write(3, all)})
	b.wants(15, 0, all, 4)
	b.Domain.RunUntil(40)
	if len(b.Read.Got) != 1 || len(b.Operand.Got) != 1 {
		t.Fatalf("%d reads passed on, %d operands given, want 1 and 1", len(b.Read.Got), len(b.Operand.Got))
	}
	if v := b.Operand.Got[0].Msg.Content.Lane(31); v != 3 {
		t.Errorf("version %d, want 3", v)
	}
}

// The entry has lanes 0 to 15, newer than in the main file. They are written there before the read of all lanes is
// passed on, in the same cycle: the main file lets writes go first.
func TestAReadOfLanesOnBothLevelsFindsThemAllInTheMainFile(t *testing.T) {
	b := newBench(t, Default())
	b.enter(1, 0)
	b.result(4, 0, 4, 0xffff, 7)
	b.wants(8, 0, all, 4)
	b.Domain.RunUntil(30)
	if len(b.Write.Got) != 1 || len(b.Read.Got) != 1 || len(b.Operand.Got) != 0 {
		t.Fatalf("%d writes and %d reads of the main file, %d operands given; want 1, 1, 0", len(b.Write.Got),
			len(b.Read.Got), len(b.Operand.Got))
	}
	w, r := b.Write.Got[0], b.Read.Got[0]
	if w.Cycle > r.Cycle || w.Msg.Content.Lanes != 0xffff {
		t.Errorf(
			"lanes %#x written in cycle %d, read in cycle %d; want 0xffff, no later",
			w.Msg.Content.Lanes,
			w.Cycle,
			r.Cycle,
		)
	}
	if b.Stat("partial_writebacks") != 1 {
		t.Errorf("%d partial reads counted, want 1", b.Stat("partial_writebacks"))
	}
}

func TestASuspendedWarpLeavesWhatItNeedsInTheMainFile(t *testing.T) {
	for pc, want := range [][]ir.RegID{{4}, nil} { // register 4 is dead before instruction 1
		b := newBench(t, Default())
		b.enter(1, 0)
		b.result(4, 0, 4, all, 7)
		b.Notice.Send(8, regfile.WarpNotice{Warp: 0, Event: regfile.WarpSuspended, PC: uint32(pc)})
		b.Domain.RunUntil(30)
		if d := cmp.Diff(want, b.written()); d != "" {
			t.Errorf("suspended before instruction %d: written (-want +got):\n%s", pc, d)
		}
	}
}

// Three warps become active one after another, and there are two places. The third, with a notice before the first
// warp's end, gets the place freed by the first warp.
func TestAnActiveWarpWaitsForThePlaceOfOneThatLeaves(t *testing.T) {
	b := newBench(t, Default())
	for w := range uint16(3) {
		b.enter(1, w)
	}
	b.result(6, 2, 4, all, 7) // no place: to the main file
	b.Notice.Send(8, regfile.WarpNotice{Warp: 0, Event: regfile.WarpExited})
	b.result(12, 2, 4, all, 8)
	b.Domain.RunUntil(40)
	if d := cmp.Diff([]ir.RegID{4}, b.written()); d != "" {
		t.Errorf("written (-want +got):\n%s", d)
	}
	if b.Stat("results") != 1 {
		t.Errorf("%d results kept, want 1", b.Stat("results"))
	}
}

// With one read port of the level, two hits of a request are sent in consecutive cycles.
func TestReadPortsLimitHits(t *testing.T) {
	s := Default()
	s.Reads = 1
	b := newBench(t, s)
	b.enter(1, 0)
	b.result(4, 0, 4, all, 7)
	b.result(6, 0, 5, all, 8)
	b.wants(10, 0, all, 4, 5)
	b.Domain.RunUntil(30)
	if d := cmp.Diff([]wire.Cycle{13, 14}, b.Operand.Cycles()); d != "" {
		t.Errorf("operands given in cycles (-want +got):\n%s", d)
	}
	if b.Stat("read_waits") != 1 {
		t.Errorf("%d waits for a port, want 1", b.Stat("read_waits"))
	}
}
