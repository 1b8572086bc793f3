package subcore

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/contracttest"
	"kumiko/regfile/filetest"
)

// direct is a file whose operations read all of their registers in the cycle of their arrival, if a latch of their
// unit is free.
type direct struct {
	File
	cores []*directCore
}

type directCore struct{ Core }

func (c *directCore) Tick(now wire.Cycle) bool {
	again := c.Results.Tick(now)
	for o := c.Issue.Head(); o != nil && c.Latches.Room(o.Unit) && !c.Latches.Owes(1); o = c.Issue.Head() {
		c.Latches.Promise(o.Unit)
		if c.Checker != nil {
			for i, r := range o.Inst.T.Src[:o.Inst.T.NSrc] {
				x := c.Results.HoldsAt(o.Warp, r, now, nil)
				c.Checker.Operand(c.Name(), now, o, i, &x)
			}
			c.Checker.AtUnit(c.Name(), now, o)
		}
		if c.Notice && o.Inst.T.NSrc > 0 {
			c.Latches.Notice(o)
		}
		c.Latches.Kept(o)
		c.Issue.Pop()
	}
	return c.Latches.Tick() || again || c.Issue.Head() != nil
}

func newDirect(env *regfile.Env, s Spec) (*direct, error) {
	f := &direct{}
	if err := f.Setup(env, s); err != nil {
		return nil, err
	}
	for range env.Schedulers {
		c := &directCore{}
		c.Init(&f.File, c)
		c.Register("direct", "none", env.Stats)
		f.cores = append(f.cores, c)
	}
	f.Join()
	return f, nil
}

func directKind() *regfile.Kind {
	return regfile.Define(regfile.Kind{Name: "direct"}, regfile.Builder[Spec]{
		Default: func() Spec { return Spec{Banks: 2, BankIndex: "register", Latches: 2, Queue: 8, Forward: 2} },
		Build: func(env *regfile.Env, s *Spec) (regfile.Design, error) {
			return newDirect(env, *s)
		},
	})
}

func TestVariantsOfAFileOfSubCoresKeepTheContract(t *testing.T) {
	late := &[ir.NumClasses]bool{}
	for c := range late {
		late[c] = c%2 == 0
	}
	contracttest.Variants(t, directKind(), map[string]func(*Spec, *contracttest.Config){
		"as it is":                   func(*Spec, *contracttest.Config) {},
		"one latch, a short queue":   func(s *Spec, _ *contracttest.Config) { s.Latches, s.Queue = 1, 4 },
		"values with their results":  func(s *Spec, _ *contracttest.Config) { s.Forward = 0 },
		"five banks, loads wait":     func(s *Spec, _ *contracttest.Config) { s.Banks, s.Late = 5, late },
		"one bank, every class late": func(s *Spec, _ *contracttest.Config) { s.Banks, s.Queue, s.Late = 1, 4, late },
	})
}

// bench is a file of one sub-core with a unit of its scheduler and a shared one, and three result ports.
type bench struct {
	*filetest.Bench
	f *direct
}

func newBench(t *testing.T, s Spec, tune func(*regfile.Env)) *bench {
	t.Helper()
	var fixed op.Times
	fixed.Class[ir.ClassFMA] = op.Time{Latency: 20, Initiation: 1}
	env := &regfile.Env{Schedulers: 1, IssueWidth: 1, Warps: 4, Registers: 64, Writebacks: 3, ReadNotice: true,
		Units: []regfile.Unit{{Name: "FMA", Kind: "fma", Times: &fixed, Fixed: true},
			{Name: "LSU", Kind: "lsu", Sched: regfile.Shared}}}
	if tune != nil {
		tune(env)
	}
	b := &bench{}
	b.Bench, b.f = filetest.New(t, env, func() (*direct, error) { return newDirect(env, s) }, 1)
	return b
}

// plain has two banks, two latches of a unit, and queues of four registers.
func plain() Spec { return Spec{Banks: 2, BankIndex: "register", Latches: 2, Queue: 4, Forward: 2} }

// write has a result of registers of warp 0 arrive on a port at a cycle.
func (b *bench) write(port int, at wire.Cycle, class ir.Class, tag uint32, dst ...ir.RegID) {
	in := writes(0, dst...).Inst
	in.T.Class = class
	b.Result[port].Send(at-1, op.Result{Inst: in, Tag: tag, Exec: 0xff})
}

// tags returns the finished operations, by cycle.
func (b *bench) tags() (out map[wire.Cycle][]uint32) {
	out = map[wire.Cycle][]uint32{}
	for _, g := range b.Done[0].Got {
		out[g.Cycle] = append(out[g.Cycle], g.Msg.Tag)
	}
	return out
}

func (b *bench) wantDone(t *testing.T, want map[wire.Cycle][]uint32) {
	t.Helper()
	if d := cmp.Diff(want, b.tags()); d != "" {
		t.Errorf("done (-want +got):\n%s", d)
	}
}

// Six registers of bank 0 arrive on three ports at 10. The bank writes one each cycle from 12 on, so the third
// result has space at 14, when two are written, and the fifth at 16.
func TestAResultWaitsForRoomInTheQueueOfItsBankAndThenGoesFirst(t *testing.T) {
	b := newBench(t, plain(), nil)
	b.write(0, 10, ir.ClassFMA, 1, 2, 4)
	b.write(1, 10, ir.ClassFMA, 2, 6, 8)
	b.write(2, 10, ir.ClassFMA, 3, 10, 12)
	b.write(0, 11, ir.ClassFMA, 4, 1)
	b.write(1, 11, ir.ClassFMA, 5, 14, 16)
	b.Domain.RunUntil(60)
	b.wantDone(t, map[wire.Cycle][]uint32{11: {1, 2}, 12: {4}, 15: {3}, 17: {5}})
	if w := b.Stat("bank.writes.result"); w != 9 {
		t.Errorf("%d registers written, want 9", w)
	}
	if w := b.Stat("direct.result_waits"); w != 4+5 {
		t.Errorf("%d cycles of waiting, want those of the third result from 10 and of the fifth from 11, 9", w)
	}
	if g := b.Stat("bank.group_writes"); g != 2*9 {
		t.Errorf("%d groups of lanes written, want 18", g)
	}
	if at := b.Domain.NextWake(); at != wire.Never {
		t.Errorf("an empty file ticks at %d", at)
	}
}

// A result of a late class for bank 1 arrives with one of another class at 10. It is accepted when no other is due
// in that bank in the cycle of its value.
func TestAResultOfALateClassWaitsUntilItsBankIsFree(t *testing.T) {
	s := plain()
	s.Late = &[ir.NumClasses]bool{}
	s.Late[ir.ClassLoad] = true
	b := newBench(t, s, nil)
	b.write(0, 10, ir.ClassLoad, 1, 1)
	b.write(1, 10, ir.ClassFMA, 2, 3, 5)
	b.write(2, 10, ir.ClassLoad, 3, 2)
	b.Domain.RunUntil(60)
	// values of 3 and 5 at 12; 3 is written in 12, and 5 in 13
	b.wantDone(t, map[wire.Cycle][]uint32{11: {2, 3}, 12: {1}})
	if w := b.Stat("direct.result_waits"); w != 1 {
		t.Errorf("%d cycles of waiting, want 1", w)
	}
}

func TestAResultOfNoLaneIsDoneAndWritesNothing(t *testing.T) {
	b := newBench(t, plain(), nil)
	b.Result[0].Send(9, op.Result{Inst: writes(0, 1, 2).Inst, Tag: 1})
	b.Domain.RunUntil(30)
	b.wantDone(t, map[wire.Cycle][]uint32{11: {1}})
	if w := b.Stat("bank.writes.result"); w != 0 {
		t.Errorf("%d registers written, want none", w)
	}
}

// Operations for both units arrive. Unit 0 accepts none before 30, so its two latches fill, and the third operation
// stays at Issue with the one for the other unit behind.
func TestOperationsWaitForALatchOfTheirUnitInOrder(t *testing.T) {
	b := newBench(t, plain(), nil)
	b.Units[0].Refuse = func(now wire.Cycle) bool { return now < 30 }
	read := func(unit uint8) op.Op {
		return op.Op{Inst: filetest.Inst(nil, 7), Unit: unit}
	}
	for i, unit := range []uint8{1, 0, 0, 0, 0, 1} {
		b.Send(wire.Cycle(10+i), read(unit))
	}
	b.Domain.RunUntil(28)
	if got, want := b.f.cores[0].Report(0), "4 operations before their units, 0 results to be written"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := b.f.cores[0].Report(3); got != "7 operations before their units, 0 results to be written" {
		t.Errorf("with three of the design's own: %q", got)
	}
	b.Domain.RunUntil(60)
	var tags [2][]uint32
	for u := range tags {
		for _, g := range b.Units[u].Got {
			tags[u] = append(tags[u], g.Msg.Tag)
		}
	}
	if d := cmp.Diff([2][]uint32{{2, 3, 4, 5}, {1, 6}}, tags); d != "" {
		t.Errorf("at the units (-want +got):\n%s", d)
	}
	if len(b.Reading[0].Got) != 6 || b.f.cores[0].Report(0) != "" {
		t.Errorf("%d notices, want 6; it waits for %q", len(b.Reading[0].Got), b.f.cores[0].Report(0))
	}
}

func TestReportsCountResultsOnTheirWayToTheBanks(t *testing.T) {
	b := newBench(t, plain(), nil)
	b.write(0, 10, ir.ClassFMA, 1, 2, 4)
	b.Domain.RunUntil(11)
	if got, want := b.f.cores[0].Report(0), "0 operations before their units, 2 results to be written"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := b.f.cores[0].Report(2); got == "" {
		t.Error("as many operations as results wait, and nothing is told")
	}
	b.Domain.RunUntil(30)
	if got := b.f.cores[0].Report(0); got != "" {
		t.Errorf("an empty file waits: %q", got)
	}
}

// The result of a load arrives on the last port at 10, and one of fixed latency for the same bank on the first
// port, with its cycle reserved in the timetable. The load's result gets the next cycle but one.
func TestUnderControlWordsResultsOfVariableLatencyTakeWhatIsLeft(t *testing.T) {
	s := plain()
	s.Queue, s.Ahead, s.Late = 2+ir.NumDests, 8, &[ir.NumClasses]bool{}
	b := newBench(t, s, func(e *regfile.Env) { e.Controlled = true })
	c := b.f.cores[0]
	c.Table.Begin()
	if o := writes(0, 1, 3); !c.Table.Take(o, 10) {
		t.Fatal("the timetable has no room")
	}
	b.write(0, 10, ir.ClassFMA, 1, 1, 3)
	b.write(2, 10, ir.ClassLoad, 2, 5)
	b.write(2, 10, ir.ClassLoad, 3, 2)
	b.Domain.RunUntil(60)
	// values at 12: registers 1 and 3 are written at 12 and 13, 5 at 14; 2 goes to another bank, behind
	b.wantDone(t, map[wire.Cycle][]uint32{11: {1}, 13: {2}, 14: {3}})
	if w := b.Stat("direct.result_waits"); w != 2 {
		t.Errorf("%d cycles of waiting, want 2", w)
	}
	if at := b.Domain.NextWake(); at != wire.Never {
		t.Errorf("an empty file ticks at %d", at)
	}
}
