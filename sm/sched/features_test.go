package sched

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/memsys/constant"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/program"
	"kumiko/sm/reason"
	"kumiko/sm/sched/slots"
	"kumiko/sm/smtest"
	"kumiko/sm/switching"
)

// oddCycles lets no warp issue in odd cycles.
var oddCycles = feature{
	present: func(*Config, *Planes) bool { return true },
	reasons: func(*Planes) []reason.Info {
		return []reason.Info{{Name: "odd", Doc: "issue slots lost in odd cycles", Why: "the cycle is odd"}}
	},
	build: func(s *Scheduler, at *site) any { return &odd{&s.Sets, at.rows[0]} },
}

type odd struct {
	sets *slots.Sets
	row  reason.Reason
}

func (o *odd) begin(now wire.Cycle) bool {
	o.sets.Blocked[o.row] = -(now & 1)
	return true
}

// headCalls counts the calls of a header and depender.
type headCalls struct{ heads, depends int }

func (c *headCalls) head(int, *warpState, *program.Inst)   { c.heads++ }
func (c *headCalls) depend(int, *warpState, *program.Inst) { c.depends++ }

// The second instruction waits for the result of the first, and the result leaves it at the head of the buffer.
func TestAResultChangesTheDependencesOfAWaitingHeadAlone(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 1),
		smtest.Inst(ir.ClassExit, nil))
	b := newBench(testSetup(), k)
	calls := &headCalls{}
	b.s.add(calls)
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1)
	b.done.Send(6, op.Done{Inst: &k.Insts[0], Tag: 1})
	b.d.RunUntil(20)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 7})
	if calls.heads != 3 || calls.depends != 4 {
		t.Errorf("%d heads, with dependences computed %d times; want 3 heads, one of them again", calls.heads,
			calls.depends)
	}
}

// Two instructions are in the buffer at 3. The warp ends at 7.
func TestANewReasonIsAFeatureInTheList(t *testing.T) {
	old := features
	t.Cleanup(func() { features = old })
	features = append(slices.Clone(features), oddCycles)
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassExit, nil))
	b := newBench(testSetup(), k)
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1)
	b.done.Send(6, op.Done{Inst: &k.Insts[0], Tag: 1})
	b.d.RunUntil(3)
	if got := b.s.Waiting(); !strings.HasSuffix(got, "is ready; the cycle is odd") {
		t.Errorf("in cycle 3: %q", got)
	}
	b.d.RunUntil(20)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{4})
	want := map[string]uint64{"empty": 1 + 14, "no_instruction": 1, "odd": 2, "issued": 2}
	if d := cmp.Diff(want, b.slotsOf(20)); d != "" {
		t.Errorf("slots (-want +got):\n%s", d)
	}
	reg := &stats.Registry{}
	New("S", wire.NewDomain("core", smtest.GHz), &testSetup().Config, Links{Units: [][]uint8{{0}, {1}},
		Planes: &Planes{}, Observers: &Observers{}, Steady: &Steady{}}, reg)
	all := reg.Snapshot()
	if _, ok := all["sm.issue.odd"]; !ok {
		t.Errorf("no statistic of the reason among %d", len(all))
	}
}

// everyFeature has all reasons, although no SM could have them all.
func everyFeature(d *wire.Domain) (*setup, *Planes) {
	h := newHand("H", d, message.WarpSet{})
	spec := testSetup()
	spec.Width = 2
	spec.Choice, spec.Switch.Switching = *setSpec(1, true, true, 0), switching.VirtualThread
	spec.Choice.Dependences = ByControl
	spec.Constants, spec.Queues.Entries = ConstantSpec{Lines: 2, Ways: 1, Line: 64, Latency: 5}, 1
	return spec, &Planes{Inserts: "prefetch",
		Gates: []regfile.Gate{{Reason: "lock", Closed: &h.signal}, {Reason: "fill", Closed: &h.signal}}}
}

func TestTheOrderOfTheFeaturesIsTheOrderOfTheAccount(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	spec, p := everyFeature(d)
	reg := &stats.Registry{}
	s := New("S", d, &spec.Config, Links{Units: [][]uint8{{0}, {1}}, Planes: p, Observers: &Observers{},
		Steady: &Steady{}}, reg)
	list := Reasons(&spec.Config, p)
	var got []string
	for _, r := range list {
		got = append(got, r.Name)
	}
	want := []string{"issued", "inserted", "unpaired", "regfile_full",
		"unit_full", "lsu_full", "shared_full", "cache_full", "memory_full", "lock", "fill", "inactive", "switch",
		"constant", "stall", "yield", "counter", "scoreboard", "memory", "fence", "barrier", "no_instruction",
		"drain", "parked", "empty"}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("(-want +got):\n%s", d)
	}
	states := list[9:23] // those that warps can be in
	for _, r := range states {
		s.account.States[r.Reason] = 1
	}
	for _, r := range states {
		if lost := s.account.Lost(false); lost != r.Reason {
			t.Errorf("with warps from %s on a slot is lost for reason %d, want %d", r.Name, lost, r.Reason)
		}
		s.account.States[r.Reason] = 0
	}
}

// Every row has the warp. One row after the other lets it go.
func TestAReadyWarpIsKeptByTheFirstRowThatHasIt(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	spec, p := everyFeature(d)
	spec.Choice.Dependences = ""
	b := newBenchOf(spec, smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{2}, 1), smtest.Inst(ir.ClassExit, nil)), d, p)
	s := b.s
	w := s.at(0)
	w.n, w.buffer[0] = 1, message.Fetched{Inst: &b.k.Insts[0]}
	s.Live = 1
	s.update(0, w)
	for _, x := range s.own {
		s.Blocked[x.Reason] = 1
	}
	for i, want := range []string{"its CTA is giving up its slots",
		"it is not among the warps of which the scheduler chooses", "gate lock holds it", "gate fill holds it",
		"an operand from the constant bank is missing", "the memory queue of the sub-core is full",
		"the register file takes no operation"} {
		if got := s.Waiting(); !strings.HasSuffix(got, "is ready; "+want) {
			t.Errorf("%q, want one that ends with %q", got, want)
		}
		state := reason.Issued
		for _, x := range s.own {
			if x.Why != want {
				continue
			}
			if state = x.Reason; x.Name == "" {
				state = x.As
			}
		}
		if chosen, ready := s.Chosen() != 0, s.Ready() != 0; chosen != (i >= 2) || ready && i < 6 {
			t.Errorf("%s: chosen %t, ready %t; want a choice among the late reasons alone", want, chosen, ready)
		}
		var got reason.Account
		var exp [reason.Num]uint64
		exp[state] = 1
		chosen, ready := s.warpStates(&got)
		if got.States != exp || got.Warps != exp {
			t.Errorf("%s: states %v, warp-cycles %v, want %v", want, got.States, got.Warps, exp)
		}
		if chosen != s.Chosen() || ready != s.Ready() {
			t.Errorf("%s: %b chosen, %b ready by the account, want %b, %b", want, chosen, ready, s.Chosen(), s.Ready())
		}
		for _, x := range s.own {
			if x.Why == want {
				s.Blocked[x.Reason] = 0
			}
		}
	}
}

// constantOfTwoWarps runs two warps for 20 cycles, of which the first misses its constant at 3. After a miss nothing
// issues for hold cycles.
func constantOfTwoWarps(hold int) *bench {
	addition := func(r int, at uint64) ir.Inst {
		in := smtest.Inst(ir.ClassInt, []int{r}, 0)
		in.Src = []ir.Operand{{Kind: ir.KindConst, Imm: at}}
		return in
	}
	k := smtest.KernelOf(addition(1, 0), addition(2, 4), smtest.Inst(ir.ClassInt, []int{3}, 0),
		smtest.Inst(ir.ClassExit, nil))
	spec := testSetup()
	spec.Constants = ConstantSpec{Lines: 2, Ways: 1, Line: 64, Latency: 10, Hold: hold}
	b := newBench(spec, k)
	b.constants(spec.Constants.Latency)
	b.warps(1, 3)
	b.fetch(2, 0, 0, 1)
	b.fetch(2, 1, 2)
	b.d.RunUntil(20)
	return b
}

// constants joins a second cache, with all constants, to the scheduler.
func (b *bench) constants(latency int) {
	second, err := constant.NewSecond("Second", b.d, constant.SecondSpec{}, 1, nil)
	if err != nil {
		panic(err)
	}
	wire.Connect(&b.s.Constants.Missing, &second.In[0], latency/2)
	wire.Connect(&second.Out[0], &b.s.Constants.Arrived, latency-latency/2)
}

// An ULDC has its place in the constant bank from its access: 64 lies in the second line, and 68 there too.
func TestAnIndexedUniformLoadMissesTheLineOfItsAccess(t *testing.T) {
	indexed := smtest.Inst(ir.ClassUniformMove, nil)
	indexed.Op, indexed.Uniform, indexed.T.Space = ir.OpLd, true, ir.Const
	k := smtest.KernelOf(indexed, indexed, indexed, smtest.Inst(ir.ClassExit, nil))
	spec := testSetup()
	spec.Constants = ConstantSpec{Lines: 2, Ways: 1, Line: 64, Latency: 10}
	b := newBench(spec, k)
	b.constants(spec.Constants.Latency)
	b.warps(1, 1)
	for i, at := range []uint64{64, 68, 128} {
		b.fetched.Send(2, message.Fetched{Inst: &k.Insts[i], PC: uint32(i), Exec: ^uint32(0),
			Access: &stream.Access{Base: at, Space: ir.Const}})
	}
	b.d.RunUntil(40)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{13, 14, 25})
	if got := b.reg.Snapshot()["sm.constant_cache.misses"]; got != 2 {
		t.Errorf("%d misses, want 2", got)
	}
}

// Of two warps the first misses its constant at 3. Nothing issues up to 6, the other warp issues at
// 7, and the line is there at 13. The first warp's next constant lies in the same line.
func TestAWarpWaitsForItsConstantAndForATimeAllOthersDo(t *testing.T) {
	b := constantOfTwoWarps(4)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{7, 13, 14})
	if got := b.slotsOf(20)["constant"]; got != 4+5 {
		t.Errorf("%d slots lost to constants, want 9: 3 to 6, 8 to 12", got)
	}
}

// The miss at 3 takes the cycle, and the other warp issues in the next one.
func TestWithoutAHoldAnotherWarpIssuesInTheCycleAfterAMiss(t *testing.T) {
	b := constantOfTwoWarps(0)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{4, 13, 14})
}

// The queue holds one operation. The first warp's load takes the place at 3, and the place is free
// again at 10. The addition of the third warp needs none.
func TestALoadWaitsForRoomInTheMemoryQueueAsForMemory(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassLoad, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 0),
		smtest.Inst(ir.ClassExit, nil))
	spec := testSetup()
	spec.Queues.Entries = 1
	b := newBench(spec, k)
	left := wiretest.NewSource("Left", b.d, &b.s.Queue.Left)
	b.warps(1, 7)
	b.fetch(2, 0, 0)
	b.fetch(2, 1, 0)
	b.fetch(2, 2, 1)
	left.Send(9, op.Taken{})
	b.d.RunUntil(20)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 4, 10})
	if d := cmp.Diff([]int{0, 2, 1}, b.warpOrder()); d != "" {
		t.Errorf("warps (-want +got):\n%s", d)
	}
	if got := b.slotsOf(20)["memory"]; got != 5 {
		t.Errorf("%d slots lost to memory, want 5: 5 to 9", got)
	}
}

// The register file has read the load's address at 5, and the queue sends the load's sources at 9.
func TestTheMemoryQueueTellsWhatMemoryOperationsHaveRead(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassLoad, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{0}, 2),
		smtest.Inst(ir.ClassExit, nil))
	spec := testSetup()
	spec.Queues.Entries = 4
	b := newBench(spec, k)
	read := wiretest.NewSource("QueueRead", b.d, &b.s.Queue.Read)
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1)
	b.read.Send(5, op.Read{Inst: &k.Insts[0], Tag: 1})
	read.Send(9, op.Read{Inst: &k.Insts[0], Tag: 1})
	b.d.RunUntil(20)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 10})
}

// The addition at 3 stalls its warp for four cycles, the load at 7 for two. The last instruction then
// waits for the load's counter, down at 21.
func TestInstructionsIssueByTheirControlWords(t *testing.T) {
	words := []ir.Control{{Stall: 4, Write: ir.NoCounter, Read: ir.NoCounter}, {Stall: 2, Write: 0, Read: ir.NoCounter},
		{Stall: 1, Write: ir.NoCounter, Read: ir.NoCounter, Wait: 1}}
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassLoad, []int{2}, 1),
		smtest.Inst(ir.ClassInt, []int{3}, 2), smtest.Inst(ir.ClassExit, nil))
	for i := range words {
		k.Insts[i].Control = words[i]
		k.Insts[i].Control.Set = true
	}
	spec := testSetup()
	spec.Choice.Dependences, spec.Buffer = ByControl, 4
	b := newBench(spec, k)
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1, 2)
	b.done.Send(20, op.Done{Inst: &k.Insts[1], Tag: 2})
	b.d.RunUntil(30)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 7, 21})
	got := b.slotsOf(30)
	if got["stall"] != 3+1 || got["counter"] != 12 {
		t.Errorf("slots %v, want 4 of stall and 12 of counter: 9 to 20", got)
	}
}
