package conventional

import (
	"strings"
	"testing"

	"kumiko/components/bank"
	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// quarters is an SM of four schedulers with a unit each, and four write-back ports for each of
// two sub-cores of four banks.
func quarters(t *testing.T, change func(*regfile.Env, *Spec)) *builder {
	t.Helper()
	env := &regfile.Env{Domain: wire.NewDomain("Core", 1e9), Stats: &stats.Registry{}, Name: "SM", Schedulers: 4,
		IssueWidth: 1, Warps: 16, Registers: 64, Writebacks: 4}
	for i := range 4 {
		env.Units = append(env.Units, regfile.Unit{Name: "SP", Kind: "sp", Sched: i})
	}
	s := simple()
	s.SubCores, s.Banks, s.BankPorts = 2, 8, "2rw"
	if change != nil {
		change(env, &s)
	}
	b, err := prepare(env, s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func equal[T comparable](t *testing.T, what string, want, got T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// A sub-core may write back two registers of each of its four ports in a cycle, for the two
// cycles until it sees how much room is left, and for those that a result is announced before.
func TestASubCoreHasItsSchedulersAndRoomForItsResults(t *testing.T) {
	b := quarters(t, nil)
	for i := range 2 {
		cs := b.collectorSpec(i)
		p := b.part("SubCore", i, &cs)
		equal(t, "first scheduler of the part", 2*i, p.First)
		equal(t, "first scheduler of the collectors", 2*i, cs.First)
		equal(t, "most writes of a cycle", 2*4, p.Writes)
		equal(t, "room for writes", 2*4*2, p.WriteRoom)
		c, err := b.subCore(i)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "first scheduler of write-back", 2*i, c.writeback.sched)
	}
	equal(t, "room with results announced a cycle before", 2*4*3, writeRoom(4, 1))
	equal(t, "room for the largest result", ir.NumDests*2, writeRoom(1, 0))
}

// 100 registers in eight banks are 13 in each, rounded up.
func TestTheCapacityOfABankIsItsShareOfTheSMs(t *testing.T) {
	for capacity, want := range map[int]int{0: 0, 96: 12, 100: 13, 1 << 20: 16 * 64 / 8 * 2} {
		b := quarters(t, func(e *regfile.Env, _ *Spec) { e.Capacity = capacity })
		equal(t, "capacity of a bank", min(want, b.bank.Entries), b.bank.Capacity)
	}
}

func TestAFileWithPlacesRefusesWhatAFileDoes(t *testing.T) {
	s := simple()
	s.SubCores = -1
	if _, err := NewPlaced(oneScheduler(), s, 4); err == nil || !strings.HasPrefix(err.Error(), "sub_cores") {
		t.Errorf("error %v, want one that names sub_cores", err)
	}
}

// Eight banks of 16 bytes hold a register, so that two sub-cores need a multiple of 16.
func TestBanksAreDividedAmongSubCores(t *testing.T) {
	s := simple()
	s.SubCores, s.Banks, s.BankWidth = 2, 8, 16
	if _, _, err := s.layout(2); err == nil || !strings.Contains(err.Error(), "a multiple of 16, for 2 sub-cores") {
		t.Errorf("error %v, want one that says how many banks", err)
	}
	s.Banks = 16
	if n, groups, err := s.layout(2); n != 2 || groups != 1 || err != nil {
		t.Errorf("%d sub-cores of %d groups, error %v; want 2 of 1", n, groups, err)
	}
	s = simple()
	s.Banks = 1
	if err := s.Check(); err != nil {
		t.Errorf("a bank alone: %v", err)
	}
}

func TestASetOfCollectorsHasOneAtLeast(t *testing.T) {
	for count, fits := range map[int]bool{0: false, 1: true} {
		s := simple()
		s.CollectorSets = []CollectorSet{{[]string{"sp"}, count}}
		if err := s.checkKinds(oneScheduler().Units); fits != (err == nil) {
			t.Errorf("a set of %d: error %v", count, err)
		}
	}
}

// Banks of two ports hold two accesses for each, and three for the guest. Its own values come two
// per cycle after two cycles, so that six may be on their way.
func TestAGuestGetsWhatItAsksFor(t *testing.T) {
	words := bank.Words{Source: func(*ir.Timing, int) bank.Word { return 0 }}
	for name, x := range map[string]struct {
		guest        Guest
		words        bool
		causes       uint8
		room, lines  int
		values, ends int
	}{
		"nothing": {Guest{}, false, 0, 0, 0, 0, 0},
		"all": {Guest{Words: words, Causes: 1 << bank.Switch, More: 3, Operand: &wire.OutPort[bank.Value]{},
			Operands: 2, Latency: 2, Values: &wire.InPort[bank.Value]{}}, true,
			1<<bank.Operand | 1<<bank.Result | 1<<bank.Switch, 2*2 + 3, 1, 6, 1},
	} {
		b := quarters(t, nil)
		b.beside = func(*Part) (*Guest, error) { g := x.guest; return &g, nil }
		cs := b.collectorSpec(0)
		g, err := b.guest("SubCore", 0, &cs)
		if err != nil {
			t.Fatal(err)
		}
		g.hear(&cs)
		equal(t, name+": words of operands", x.words, cs.Words != nil)
		equal(t, name+": causes", x.causes, b.bank.Causes)
		equal(t, name+": accesses that a bank holds", x.room, b.bank.Room)
		equal(t, name+": lines of the collectors", x.lines, cs.Lines)
		equal(t, name+": values on their way", x.values, cs.Room)
		equal(t, name+": ends of the network", x.ends, g.apart())
	}
}

// A block between gives three values per cycle after two cycles. Where the network ends in it,
// the collectors have that line alone.
func TestABlockBetweenGetsWhatItAsksFor(t *testing.T) {
	for ends, want := range map[bool]int{false: 3, true: 1} {
		b := quarters(t, nil)
		cs := b.collectorSpec(0)
		cs.Lines, cs.Room = 2, 1
		b.between = func(*Part) (*Block, error) {
			x := &Block{Operand: &wire.OutPort[bank.Value]{}, Operands: 3, Latency: 2, Causes: 1 << bank.Flush}
			if ends {
				x.Values = []*wire.InPort[bank.Value]{{}}
			}
			return x, nil
		}
		if _, err := b.chain("SubCore", 0, &cs); err != nil {
			t.Fatal(err)
		}
		equal(t, "lines of the collectors", want, cs.Lines)
		equal(t, "values on their way", 9, cs.Room)
		equal(t, "causes", uint8(1<<bank.Operand|1<<bank.Result|1<<bank.Flush), b.bank.Causes)
	}
	b := quarters(t, nil)
	cs := b.collectorSpec(0)
	cs.Room = 1
	b.between = func(*Part) (*Block, error) { return &Block{}, nil }
	if _, err := b.chain("SubCore", 0, &cs); err != nil {
		t.Fatal(err)
	}
	equal(t, "causes of a block without any", uint8(0), b.bank.Causes)
}

// second is a guest with two ports of each kind, and a word for results.
type second struct {
	wire.Comp
	reads   [2]wire.OutPort[bank.Request]
	writes  [2]wire.OutPort[bank.Access]
	operand wire.OutPort[bank.Value]
}

func (g *second) Tick(wire.Cycle) bool { return false }

func TestEveryPortOfAGuestIsJoined(t *testing.T) {
	g := &second{}
	env := oneScheduler()
	r := newRigOf(t, env, func() (*File, error) {
		return NewBeside(env, simple(), func(p *Part) (*Guest, error) {
			g.Init("Guest", p.Env.Domain, g)
			x := &Guest{Room: 2, Operand: &g.operand, Operands: 1, Latency: 1,
				Words: bank.Words{Result: func(*ir.Timing, int) bank.Word { return 1 }}}
			g.operand.Init(&g.Comp, "Operand")
			for i := range g.reads {
				g.reads[i].Init(&g.Comp, "Read"+string(rune('0'+i)))
				g.writes[i].Init(&g.Comp, "Write"+string(rune('0'+i)))
				x.Read, x.Write = append(x.Read, &g.reads[i]), append(x.Write, &g.writes[i])
			}
			return x, nil
		})
	})
	for i := range g.reads {
		if !g.reads[i].Connected() || !g.writes[i].Connected() {
			t.Errorf("port %d of the guest leads nowhere", i)
		}
	}
	if !g.operand.Connected() {
		t.Error("the guest's own values lead nowhere")
	}
	if r.f.subs[0].writeback.word == nil {
		t.Error("results have no word")
	}
}

// Two results come at both ports at once, of which the scheduler takes one per cycle from 30 on.
// Those that have waited go first, in the order of the ports.
func TestResultsThatWaitGoFirst(t *testing.T) {
	d := wire.NewDomain("Core", 1e9)
	index, err := bank.NewIndex(bank.ByRegister, 4, 8, 32, 1)
	if err != nil {
		t.Fatal(err)
	}
	w := newWriteback("Writeback", d, writebackSpec{ports: 2, schedulers: 1, index: index}, &stats.Registry{})
	wiretest.NewSink("Arbiter", d, &w.Write, 8)
	done := wiretest.NewSink("Scoreboard", d, &w.Done[0], 1)
	done.Refuse = func(now wire.Cycle) bool { return now < 30 }
	for port := range 2 {
		in := wiretest.NewSource("Pipeline", d, &w.Result[port])
		for i := range 2 {
			in.Send(9, op.Result{Inst: regs([]ir.RegID{1}), Exec: 1, Tag: uint32(10*port + i)})
		}
	}
	d.RunUntil(29)
	equal(t, "results that wait", "3 results wait to be written", w.Waiting())
	d.RunUntil(100)
	var tags []uint32
	for _, g := range done.Got {
		tags = append(tags, g.Msg.Tag)
	}
	if len(tags) != 4 || tags[0] != 0 || tags[1] != 10 || tags[2] != 1 || tags[3] != 11 {
		t.Errorf("results %v, want 0, 10, 1, 11", tags)
	}
	if w.waits == 0 || w.waits > 200 {
		t.Errorf("%d result-cycles of waiting", w.waits)
	}
}

// Of four writes one is at a receiver that takes nothing. Four requests wait behind the others.
func TestAStageSaysWhatWaitsToPass(t *testing.T) {
	d := wire.NewDomain("Core", 1e9)
	b := quarters(t, func(e *regfile.Env, _ *Spec) { e.Domain = d })
	cs := b.collectorSpec(0)
	x := newStage("Stage", b.part("SubCore", 0, &cs))
	requests, writes := wiretest.NewSource("Requests", d, x.Request), wiretest.NewSource("Writes", d, x.Write)
	no := func(wire.Cycle) bool { return true }
	wiretest.NewSink("Reads", d, x.Read, 1)
	wiretest.NewSink("Writes", d, x.Main, 1).Refuse = no
	for range 4 {
		requests.Send(9, bank.Request{})
		writes.Send(9, bank.Access{})
	}
	d.RunUntil(50)
	if w := d.Waiting(); len(w) != 1 || !strings.Contains(w[0], "7 requests and writes wait to pass") {
		t.Errorf("waiting: %v, want 7 messages", w)
	}
}
