package moving

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/bank"
	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
	"kumiko/regfile/filetest"
)

// mover is a block controlled by the test: in each cycle it accepts late results, and records the values read.
type mover struct {
	wire.Comp
	File
	values []wiretest.At[bank.Value]
	late   []wiretest.At[bank.Access]
	keeps  bool // late results are taken
	waits  bool // what the last TakeLate said
}

func (m *mover) Tick(now wire.Cycle) bool {
	for n := m.CTAs.Head(); n != nil; n = m.CTAs.Head() {
		m.TakeNotice(n, func(uint16) {})
		m.CTAs.Pop()
	}
	m.waits = m.TakeLate()
	for _, s := range m.Sides() {
		for v := s.Values.Head(); v != nil; v = s.Values.Head() {
			m.values = append(m.values, wiretest.At[bank.Value]{Cycle: now, Msg: *v})
			s.Values.Pop()
		}
	}
	return true
}

func (m *mover) keep(a *bank.Access) bool {
	if m.keeps {
		m.late = append(m.late, wiretest.At[bank.Access]{Msg: *a})
	}
	return m.keeps
}

// rig is a conventional file of two schedulers with a sub-core each, and the mover beside them.
type rig struct {
	*filetest.Bench
	m    *mover
	ctas *wiretest.Source[regfile.CTANotice]
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{m: &mover{keeps: true}}
	env := &regfile.Env{Schedulers: 2, IssueWidth: 1, Warps: 8, CTAs: 4, Registers: 64, Writebacks: 1,
		Units: []regfile.Unit{{Name: "SP[0]", Kind: "sp"}, {Name: "SP[1]", Kind: "sp", Sched: 1}}}
	r.Bench, _ = filetest.New(t, env, func() (*conventional.File, error) {
		s := conventional.Default()
		s.SubCores = 2
		r.m.Init("Mover", env.Domain, r.m)
		r.m.Setup(&r.m.Comp, env, 4, r.m.keep)
		env.User = r.m
		return conventional.New(env, &s)
	}, 2)
	r.ctas = wiretest.NewSource("CTAs", r.Domain, &r.m.CTAs)
	r.m.WakeAt(1)
	return r
}

// run goes on for some cycles.
func (r *rig) run(cycles wire.Cycle) { r.Domain.RunUntil(r.Domain.Now() + cycles) }

// start has a CTA begin in contexts, end ends it.
func (r *rig) start(cta uint16, contexts ...uint16) { r.notice(cta, false, contexts) }
func (r *rig) end(cta uint16, contexts ...uint16)   { r.notice(cta, true, contexts) }

func (r *rig) notice(cta uint16, finished bool, contexts []uint16) {
	r.ctas.Send(r.Domain.Now()+1, regfile.CTANotice{CTA: cta, Contexts: contexts, Finished: finished})
	r.run(5)
}

// begin issues an instruction of a warp writing and reading registers.
func (r *rig) begin(warp uint16, dst []ir.RegID, src ...ir.RegID) op.Op {
	s := uint8(warp % 2)
	o := r.Send(r.Domain.Now()+2, op.Op{Inst: filetest.Inst(dst, src...), Exec: version.FullMask, Warp: warp, Unit: s,
		Sched: s})
	r.run(20)
	return o
}

func (r *rig) finish(o op.Op) {
	r.Finish(r.Domain.Now()+2, int(o.Sched), o)
	r.run(20)
}

// A register requested at 0 is at the arbiter at 1, at its bank at 2, at the crossbar at 3, and at the mover at 4.
func TestARegisterIsReadByItsTag(t *testing.T) {
	r := newRig(t)
	r.start(0, 2, 3)
	for _, w := range []uint16{2, 3} {
		r.finish(r.begin(w, []ir.RegID{5}))
		at := r.Domain.Now()
		if !r.m.Read(w, 5, 70+uint32(w)) {
			t.Fatal("no room for a read")
		}
		r.run(20)
		n := len(r.m.values) - 1
		if n != int(w)-2 {
			t.Fatalf("%d values, want one for each read", n+1)
		}
		v := r.m.values[n]
		if v.Cycle != at+4 || v.Msg.Tag != 70+uint32(w) || v.Msg.Content.Lane(31) != r.Tag {
			t.Errorf("context %d: value %+v at %d, want version %d at %d", w, v.Msg, v.Cycle-at, r.Tag, 4)
		}
	}
}

// What has been read is written back to the place of a context, and read there by an operation.
func TestARegisterThatIsFilledIsReadByOperations(t *testing.T) {
	r := newRig(t)
	r.start(0, 2)
	r.finish(r.begin(2, []ir.RegID{5}))
	r.m.Read(2, 5, 1)
	r.run(20)
	r.m.Away(2)
	r.m.Vacate(2)
	r.start(1, 0, 4, 6) // takes the place, so that the context comes back to another one
	r.m.Place(2)
	if !r.m.Fill(2, 5, r.m.values[0].Msg.Content) {
		t.Fatal("no room for a write")
	}
	r.m.Back(2)
	r.run(20)
	r.begin(2, nil, 5)
	r.Sound()
}

func TestResultsOfAContextThatIsAwayComeLateAndOthersDoNot(t *testing.T) {
	r := newRig(t)
	r.start(0, 2, 3)
	a, b := r.begin(2, []ir.RegID{5}), r.begin(3, []ir.RegID{6})
	r.m.Away(2)
	r.run(5)
	if !r.m.IsAway(2) || r.m.IsAway(3) {
		t.Errorf("context 2 away: %v, context 3: %v; want true and false", r.m.IsAway(2), r.m.IsAway(3))
	}
	r.finish(a)
	r.finish(b)
	if len(r.m.late) != 1 || r.m.late[0].Msg.Warp != 2 || r.m.late[0].Msg.Reg != 5 {
		t.Fatalf("late results %+v, want that of register 5 of context 2", r.m.late)
	}
	r.m.Back(2)
	r.run(5)
	r.finish(r.begin(2, []ir.RegID{7}))
	if len(r.m.late) != 1 {
		t.Errorf("%d results are late, want 1: the context is back", len(r.m.late))
	}
}

func TestALateResultIsForwardedToTheBanks(t *testing.T) {
	r := newRig(t)
	r.start(0, 3)
	o := r.begin(3, []ir.RegID{5})
	r.m.Away(3)
	r.run(5)
	r.finish(o)
	if len(r.m.late) != 1 {
		t.Fatalf("%d late results, want 1", len(r.m.late))
	}
	if !r.m.Forward(&r.m.late[0].Msg) {
		t.Fatal("no room for a write")
	}
	r.m.Back(3)
	r.run(20)
	r.begin(3, nil, 5)
	r.Sound()
}

// 34 results are late and none is accepted: 32 are held, and two wait in the sub-core.
func TestLateResultsAreHeldUntilTheirRegistersAreThere(t *testing.T) {
	r := newRig(t)
	r.start(0, 2)
	r.m.keeps = false
	var ops []op.Op
	for reg := range ir.RegID(34) {
		ops = append(ops, r.begin(2, []ir.RegID{reg}))
	}
	r.m.Away(2)
	r.run(5)
	if r.m.waits || r.m.Held() != 0 {
		t.Fatalf("%d results wait before there are any", r.m.Held())
	}
	r.finish(ops[0])
	if !r.m.waits || r.m.Held() != 1 {
		t.Errorf("%d results are held, want 1", r.m.Held())
	}
	for _, o := range ops[1:] {
		r.finish(o)
	}
	if !r.m.waits || r.m.Held() != 32 {
		t.Errorf("%d results are held, want 32", r.m.Held())
	}
	r.m.keeps = true
	r.run(20)
	if r.m.waits || r.m.Held() != 0 || len(r.m.late) != 34 {
		t.Fatalf("%d results are held and %d taken, want 0 and 34", r.m.Held(), len(r.m.late))
	}
	for i, a := range r.m.late {
		if a.Msg.Reg != ir.RegID(i) {
			t.Fatalf("result %d is that of register %d: the order is lost", i, a.Msg.Reg)
		}
	}
}

func TestAPortThatIsFullTakesNothing(t *testing.T) {
	r := newRig(t)
	r.start(0, 2)
	side := r.m.Side(2)
	for name, x := range map[string]struct {
		room int
		put  func() bool
	}{
		"a read":  {side.Read.Room(math.MaxInt), func() bool { return r.m.Read(2, 5, 1) }},
		"a write": {side.Write.Room(math.MaxInt), func() bool { return r.m.Fill(2, 5, version.Content{}) }},
		"a late result": {side.Write.Room(math.MaxInt),
			func() bool { return r.m.Forward(&bank.Access{Kind: bank.Write, Warp: 2, Reg: 5}) }},
	} {
		n := 0
		for n < x.room && x.put() {
			n++
		}
		if n < 2*perCycle || n != x.room || x.put() {
			t.Errorf("%s: %d taken of the %d for which there is room, or more", name, n, x.room)
		}
		r.run(30)
	}
}

func TestContextsBelongToTheCTAThatStartedThereLast(t *testing.T) {
	r := newRig(t)
	list := func(cta int) (out []uint16) {
		for c := range r.m.Contexts(cta) {
			out = append(out, c)
		}
		return out
	}
	if r.m.Owner(2) != regfile.NoCTA {
		t.Errorf("before any starts, context 2 is of CTA %d", r.m.Owner(2))
	}
	r.start(0, 2, 3, 4)
	r.start(1, 3) // the warp there has ended
	if d := cmp.Diff([][]uint16{{2, 4}, {3}}, [][]uint16{list(0), list(1)}); d != "" {
		t.Errorf("contexts of the CTAs (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]uint16{2, 3, 4}, r.m.All(0)); d != "" {
		t.Errorf("warps of CTA 0 (-want +got):\n%s", d)
	}
	first := 0
	for range r.m.Contexts(0) {
		first++
		break
	}
	if first != 1 {
		t.Errorf("%d contexts, want the loop to end after one", first)
	}
	r.end(0, 2, 3, 4)
	for c, want := range map[uint16]int{2: regfile.NoCTA, 3: 1, 4: regfile.NoCTA} {
		if r.m.Owner(c) != want {
			t.Errorf("after CTA 0 has ended, context %d is of CTA %d, want %d", c, r.m.Owner(c), want)
		}
	}
}

// Contexts 2 and 4 are of one scheduler, context 3 is of another one.
func TestAPlaceIsPassedOnWithinASchedulerAlone(t *testing.T) {
	r := newRig(t)
	r.start(0, 2)
	at := r.m.At(2)
	if r.m.Pass(2, 3) || r.m.At(2) != at {
		t.Errorf("context 2 is at %d, was at %d; want it to keep its place", r.m.At(2), at)
	}
	if !r.m.Pass(2, 4) || r.m.At(4) != at || r.m.At(2) >= 0 {
		t.Errorf("contexts 2 and 4 are at %d and %d; want nowhere and %d", r.m.At(2), r.m.At(4), at)
	}
	if r.m.Pass(2, 6) {
		t.Error("a context without a place has passed one on")
	}
}

// Four contexts of a scheduler have four places. When a CTA begins in contexts whose registers were away, its registers
// are in the file.
func TestAPlaceIsFreeWhenItsContextHasLeft(t *testing.T) {
	r := newRig(t)
	r.start(0, 0, 2, 4, 6)
	used := map[int]bool{}
	for _, c := range []uint16{0, 2, 4, 6} {
		used[r.m.At(c)] = true
	}
	if len(used) != 4 {
		t.Errorf("places %v, want four different ones", used)
	}
	at := r.m.At(4)
	r.m.Away(4)
	r.m.Vacate(4)
	r.m.Vacate(4) // it has none any more
	r.end(0, 0)
	r.start(1, 4)
	if r.m.IsAway(4) {
		t.Error("a CTA that begins finds its context away")
	}
	if !used[r.m.At(4)] || r.m.Owner(4) != 1 {
		t.Errorf("context 4 is at %d of CTA %d, was at %d; want one of the four places, and CTA 1", r.m.At(4),
			r.m.Owner(4), at)
	}
}

// Schedulers 0 and 1 have a sub-core each.
func TestAContextHasTheSideOfItsScheduler(t *testing.T) {
	r := newRig(t)
	for c := range uint16(8) {
		if r.m.Side(c) != r.m.Sides()[c%2] {
			t.Errorf("context %d has another side than scheduler %d", c, c%2)
		}
	}
	if !r.m.Checks() {
		t.Error("contents are not kept, though there is a checker")
	}
}

// Of each of eight contexts two notices of a cycle may come in each of two cycles, and four more.
func TestThereIsRoomForTheNoticesOfTwoCycles(t *testing.T) {
	if n := newRig(t).m.CTAs.Capacity(); n != 2*8+4 {
		t.Errorf("room for %d notices, want 20", n)
	}
}
