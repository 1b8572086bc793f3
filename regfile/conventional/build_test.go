package conventional

import (
	"strings"
	"testing"

	"kumiko/components/bank"
	"kumiko/components/collector"
	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/filetest"
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
	b, err := prepare(env, &s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// adapted returns the collectors of a sub-core with an extension, and the capacity needed by a port at an end of
// the network.
func adapted(t *testing.T, b *builder, x *Extension) (cs collector.Spec, room int) {
	t.Helper()
	cs = b.collectorSpec(0)
	net, err := b.networkSpec(&cs)
	if err != nil {
		t.Fatal(err)
	}
	cs.Lines, cs.Room = net.ends()-1, net.endRoom()
	if err := b.adapt(&subCore{extension: x}, &cs); err != nil {
		t.Fatal(err)
	}
	return cs, net.endRoom()
}

func equal[T comparable](t *testing.T, what string, want, got T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// A sub-core may write back two registers of each of its four ports in a cycle. The capacity covers the two cycles
// until it sees the space left, and the cycles between the announcement of a result and its value.
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
	env := oneScheduler()
	env.Places = 4
	if _, err := New(env, &s); err == nil || !strings.HasPrefix(err.Error(), "sub_cores") {
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

// Two results arrive at each of two ports at once. The scheduler accepts one per cycle from 30 on. Waiting results
// go first, in the order of the ports.
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
			in.Send(9, op.Result{Inst: filetest.Inst([]ir.RegID{1}), Exec: 1, Tag: uint32(10*port + i)})
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

// One of four writes is at a receiver accepting nothing. Four requests wait behind the others.
func TestAStageSaysWhatWaitsToPass(t *testing.T) {
	d := wire.NewDomain("Core", 1e9)
	b := quarters(t, func(e *regfile.Env, _ *Spec) { e.Domain = d })
	cs := b.collectorSpec(0)
	x := newStage("Stage", b.part("SubCore", 0, &cs))
	requests, writes := wiretest.NewSource("Requests", d, &x.Request), wiretest.NewSource("Results", d, &x.Result)
	no := func(wire.Cycle) bool { return true }
	wiretest.NewSink("Reads", d, &x.Read, 1)
	wiretest.NewSink("Writes", d, &x.Write, 1).Refuse = no
	for range 4 {
		requests.Send(9, bank.Request{})
		writes.Send(9, bank.Access{})
	}
	d.RunUntil(50)
	if w := d.Waiting(); len(w) != 1 || !strings.Contains(w[0], "7 requests and writes wait to pass") {
		t.Errorf("waiting: %v, want 7 messages", w)
	}
}
