package subcore

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/storage"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// Four warps of 64 registers in two banks: 256 warp registers. Two units have two latches each, of three
// operands. A tag is two bits of a warp's number and six of a register's.
func TestTheStateIsThatOfBanksLatchesAndQueues(t *testing.T) {
	b := newBench(t, plain(), nil)
	want := []regfile.State{
		{Block: "Bank", What: "registers", Count: 2, Bits: 256 * 1024, Ports: "1r1w", Kind: storage.SRAM, Width: 1024},
		{Block: "Latch", What: "operands", Count: 4, Bits: 4 * 3 * 1024, Kind: storage.FlipFlop,
			Width: 3 * 1024},
		{Block: "Result queue", What: "registers", Count: 2, Bits: 2 * 4 * (1024 + 2 + 6), Kind: storage.FlipFlop,
			Width: 1024 + 2 + 6},
	}
	if d := cmp.Diff(want, b.f.State("1r1w")); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	b = newBench(t, plain(), func(e *regfile.Env) { e.Capacity = 200 })
	if got := b.f.State("")[0].Bits; got != 200*1024 {
		t.Errorf("a file of 200 registers has %d bits", got)
	}
}

// Two sub-cores have latches for each own unit, and both for the shared one.
func TestEverySubCoreHasLatchesForASharedUnit(t *testing.T) {
	d := wire.NewDomain("Core", 1e9)
	env := &regfile.Env{Domain: d, Name: "SM", Schedulers: 2, IssueWidth: 2, Warps: 4, Registers: 64, Writebacks: 1,
		Units: []regfile.Unit{{Name: "A"}, {Name: "B", Sched: 1}, {Name: "L", Sched: regfile.Shared}}}
	f, err := newDirect(env, plain())
	if err != nil {
		t.Fatal(err)
	}
	if s := f.State("")[1]; s.Count != 4*2 {
		t.Errorf("%d latches, want 8", s.Count)
	}
	if n := f.TagBits(); n != 1+6 { // of two warps and 64 registers
		t.Errorf("a tag of %d bits, want 7", n)
	}
	p := f.DataPorts()
	if p.SubCores != 2 || len(p.Issue) != 2 || p.Issue[0].Capacity() != 4 || len(p.Read) != 0 || p.Forward != 2 {
		t.Errorf("ports of %d sub-cores, %d of issue, %d of notices, values after %d; want 2, 2, 0, 2", p.SubCores,
			len(p.Issue), len(p.Read), p.Forward)
	}
	if n := f.Notices(); len(n.Warp) != 0 || n.Events != 0 {
		t.Errorf("%d ports of notices without caches, want none", len(n.Warp))
	}
	f.spec.Reuse = true
	if n := f.Notices(); len(n.Warp) != 2 || n.Warp[1] != &f.cores[1].Notices {
		t.Errorf("%d ports of notices, want 2", len(n.Warp))
	}
	if names := f.cores[1].BankNames(); len(names) != 2 || names[1] != "SM.RegFile.SubCore[1].Bank[1]" {
		t.Errorf("banks %v", names)
	}
}

func TestAFileIsRefusedThatTheSMCannotHave(t *testing.T) {
	for name, f := range map[string]func(*Spec, *regfile.Env){
		"no warps":          func(_ *Spec, e *regfile.Env) { e.Warps = 0 },
		"an unknown index":  func(s *Spec, _ *regfile.Env) { s.BankIndex = "none" },
		"a queue too short": func(s *Spec, e *regfile.Env) { s.Queue, e.Controlled = 1+ir.NumDests, true },
	} {
		env := &regfile.Env{Domain: wire.NewDomain("Core", 1e9), Name: "SM", Schedulers: 1, IssueWidth: 1, Warps: 4,
			Registers: 64, Writebacks: 1, Units: []regfile.Unit{{Name: "A"}}}
		s := plain()
		f(&s, env)
		if _, err := newDirect(env, s); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if err := CheckTimed(&regfile.Env{Controlled: true}, 2+ir.NumDests, 2); err != nil {
		t.Error(err)
	}
	if CheckTimed(&regfile.Env{Controlled: true}, 1+ir.NumDests, 2) == nil {
		t.Error("a queue without room for all results of an instruction is accepted")
	}
	if err := CheckTimed(&regfile.Env{}, 1, 2); err != nil {
		t.Error(err)
	}
}

func TestTheGateIsShutToAllWarpsOfAHaltedSubCore(t *testing.T) {
	b := newBench(t, plain(), nil)
	g := b.f.Gate("halt", "for a test")
	for _, closed := range []bool{true, false} {
		b.f.cores[0].Halt(closed)
		b.Domain.RunUntil(b.Domain.Now() + 2)
		if set := g.Signal(0).Get(); set.Has(0) != closed || set.Has(511) != closed {
			t.Errorf("halted %t: warp 0 is kept %t, warp 511 %t", closed, set.Has(0), set.Has(511))
		}
	}
}

func TestAQueueOfOperationsKeepsTheirOrder(t *testing.T) {
	var q Queue
	q.Init(3)
	next, out := uint32(0), uint32(0)
	for range 5 {
		for q.Free() > 0 {
			q.Put(&op.Op{Tag: next})
			next++
		}
		for range 2 {
			if q.Head().Tag != out {
				t.Fatalf("operation %d, want %d", q.Head().Tag, out)
			}
			q.Pop()
			out++
		}
		if q.Len() != 1 || q.Free() != 2 {
			t.Fatalf("%d operations, %d places left; want 1, 2", q.Len(), q.Free())
		}
	}
}

// A block may owe 64 notices.
func TestLatchesOweNoMoreNoticesThanTheyHold(t *testing.T) {
	var l Latches
	for range mostNotices - 2 {
		l.Notice(&op.Op{Inst: &ir.Inst{}})
	}
	if l.Owes(2) || !l.Owes(3) {
		t.Error("with 62 notices two more can be promised, and not three")
	}
}

// The value of a result arriving at 10 is there at 12. R1 and R3 lie in one bank, and R1 of another warp in another
// entry.
func TestARegisterHoldsAValueFromItsTimeOn(t *testing.T) {
	b := newBench(t, plain(), nil)
	r := &b.f.cores[0].Results
	b.write(0, 10, ir.ClassFMA, 7, 1)
	b.write(1, 10, ir.ClassFMA, 8, 3)
	b.Domain.RunUntil(11)
	for _, k := range []struct {
		warp uint16
		reg  ir.RegID
		at   wire.Cycle
		want uint32
	}{{0, 1, 11, 0}, {0, 1, 12, 7}, {0, 3, 12, 8}, {1, 1, 12, 0}, {0, 2, 12, 0}} {
		c := r.HoldsAt(k.warp, k.reg, k.at, nil)
		if got := c.Lane(0); got != k.want {
			t.Errorf("R%d of warp %d holds version %d at %d, want %d", k.reg, k.warp, got, k.at, k.want)
		}
	}
	b.Domain.RunUntil(20)
	if c := r.Holds(0, 3); c.Lane(0) != 8 || c != (version.Content{Seq: 8, Lanes: 0xff}) {
		t.Errorf("R3 holds %+v", c)
	}
}

// A timetable covers the longest time from an operation's entry to the writing of its result, and discards past
// cycles.
func TestATimetableForgetsThePast(t *testing.T) {
	x := newTable(t, 8)
	if n := len(x.ends); n != 64 { // 8 ahead, 20 of latency, 8 in the queue
		t.Fatalf("room for %d cycles, want 64", n)
	}
	for round := range wire.Cycle(3) {
		at := 200*round + 10
		x.pass(at)
		if !take(x, writes(0, 1), at+5) || take(x, writes(0, 2), at+5) {
			t.Fatalf("round %d: one result of a unit in a cycle is refused, or two are not", round)
		}
		x.pass(at + 6)
		if take(x, writes(1, 1), at+5+64) != true {
			t.Fatalf("round %d: a cycle that has passed is taken still", round)
		}
		if x.pass(at + 8); x.writes[(at+7)&63] != 0 || x.ends[(at+5+64)&63] != 1<<1 {
			t.Fatalf("round %d: the past is kept, or the future forgotten", round)
		}
	}
}
