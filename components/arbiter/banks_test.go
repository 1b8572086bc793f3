package arbiter

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
)

type rig struct {
	d      *wire.Domain
	x      *Banks
	reads  []*wiretest.Source[bank.Request]
	writes []*wiretest.Source[bank.Access]
	banks  []*wiretest.Sink[bank.Access]
	reg    stats.Registry
}

func plain(banks, readers, writers int) BanksSpec {
	return BanksSpec{
		Banks: banks, Readers: readers, Writers: writers, Depth: 16, ReadRoom: 32, WriteRoom: 32,
		Bank: bank.Spec{Timing: bank.Timing{ReadLatency: 1, WriteLatency: 1}, Entries: 64, Slices: 1},
	}
}

func newRig(t testing.TB, s BanksSpec) *rig {
	r := &rig{d: wire.NewDomain("Core", 1e9)}
	x, err := NewBanks("Arbiter", r.d, s, &r.reg)
	if err != nil {
		t.Fatal(err)
	}
	r.x = x
	for i := range x.Read {
		r.reads = append(r.reads, wiretest.NewSource("Reader", r.d, &x.Read[i]))
	}
	for i := range x.Write {
		r.writes = append(r.writes, wiretest.NewSource("Writer", r.d, &x.Write[i]))
	}
	for i := range x.Out {
		s := wiretest.NewLooseSink[bank.Access]("Bank", r.d, 2*s.Bank.Ports.Count())
		wire.Connect(&x.Out[i], &s.In, 1)
		r.banks = append(r.banks, s)
	}
	return r
}

func request(b uint8, entry uint32, to int, tag uint32) bank.Request {
	return bank.Request{N: 1, Bank: [4]uint8{b}, Entry: [4]uint32{entry}, To: uint8(to), Tag: tag}
}

// read makes requester i ask at the given cycle.
func (r *rig) read(put wire.Cycle, i int, b uint8, entry uint32) {
	r.reads[i].Send(put, request(b, entry, i, uint32(i)))
}

func (r *rig) write(put wire.Cycle, b uint8, entry uint32) {
	r.writes[0].Send(put, bank.Access{Bank: b, Entry: entry, Kind: bank.Write, Cause: bank.Result, Tag: 99})
}

// order runs the arbiter and returns the accesses received by a bank as {cycle, tag}.
func (r *rig) order(b int) [][2]uint64 {
	r.d.RunUntil(300)
	var out [][2]uint64
	for _, g := range r.banks[b].Got {
		out = append(out, [2]uint64{g.Cycle, uint64(g.Msg.Tag)})
	}
	return out
}

func want(t *testing.T, got [][2]uint64, want ...[2]uint64) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("{cycle, requester} (-want +got):\n%s", d)
	}
}

func TestTheReadsOfOneRequestGoToTheirBanksAtOnce(t *testing.T) {
	r := newRig(t, plain(3, 1, 1))
	r.reads[0].Send(10, bank.Request{N: 4, Bank: [4]uint8{0, 2, 0, 1}, Slot: [4]uint8{0, 1, 2, 3},
		Entry: [4]uint32{5, 6, 7, 8}, Tag: 9, Lanes: 3})
	got := r.order(0)
	want(t, got, [2]uint64{12, 9}, [2]uint64{13, 9}) // two in one bank: one after the other
	want(t, r.order(1), [2]uint64{12, 9})
	want(t, r.order(2), [2]uint64{12, 9})
	a := r.banks[0].Got[1].Msg
	if a.Slot != 2 || a.Entry != 7 || a.Content.Lanes != 3 || a.Kind != bank.Read {
		t.Fatalf("third read: %+v", a)
	}
}

func TestARequestThatFindsAFullQueueGoesOnWhereItStopped(t *testing.T) {
	s := plain(1, 1, 1)
	s.Depth = 1
	r := newRig(t, s)
	r.reads[0].Send(10, bank.Request{N: 4, Slot: [4]uint8{0, 1, 2, 3}})
	r.d.RunUntil(50)
	for i, g := range r.banks[0].Got {
		if int(g.Msg.Slot) != i || g.Cycle != 12+wire.Cycle(i) {
			t.Fatalf("grant %d: slot %d at %d", i, g.Msg.Slot, g.Cycle)
		}
	}
	if len(r.banks[0].Got) != 4 {
		t.Fatalf("%d grants, want 4", len(r.banks[0].Got))
	}
}

func TestRequestsForOneSinglePortedBankAreServedOnePerCycle(t *testing.T) {
	const k = 4
	r := newRig(t, plain(1, k, 1))
	for i := 0; i < k; i++ {
		r.read(10, i, 0, uint32(i))
	}
	want(t, r.order(0), [2]uint64{12, 0}, [2]uint64{13, 1}, [2]uint64{14, 2}, [2]uint64{15, 3})
	// 0 + 1 + 2 + 3 cycles of waiting
	if got := r.reg.Snapshot()["regfile.arbiter.read_conflicts"]; got != k*(k-1)/2 {
		t.Fatalf("%d conflict cycles, want %d", got, k*(k-1)/2)
	}
}

func TestRequestsForDifferentBanksDoNotWait(t *testing.T) {
	const k = 4
	r := newRig(t, plain(k, k, 1))
	for i := 0; i < k; i++ {
		r.read(10, i, uint8(i), 0)
	}
	for b := 0; b < k; b++ {
		want(t, r.order(b), [2]uint64{12, uint64(b)})
	}
	if got := r.reg.Snapshot()["regfile.arbiter.read_conflicts"]; got != 0 {
		t.Fatalf("%d conflict cycles", got)
	}
}

func TestAWriteGoesBeforeReadsOfTheSameCycle(t *testing.T) {
	r := newRig(t, plain(1, 2, 1))
	r.read(10, 0, 0, 1)
	r.read(10, 1, 0, 2)
	r.write(10, 0, 3)
	want(t, r.order(0), [2]uint64{12, 99}, [2]uint64{13, 0}, [2]uint64{14, 1})
}

func TestAWriteGoesBeforeReadsThatHaveWaited(t *testing.T) {
	r := newRig(t, plain(1, 3, 1))
	for i := 0; i < 3; i++ {
		r.read(10, i, 0, uint32(i))
	}
	r.write(11, 0, 9) // visible at 12, when the first read has been granted
	want(t, r.order(0), [2]uint64{12, 0}, [2]uint64{13, 99}, [2]uint64{14, 1}, [2]uint64{15, 2})
}

func TestAReadPortServesReadsBesideTheWritePort(t *testing.T) {
	s := plain(1, 1, 1)
	s.Bank.Ports = bank.OneReadOneWrite
	r := newRig(t, s)
	r.read(10, 0, 0, 1)
	r.write(10, 0, 2)
	want(t, r.order(0), [2]uint64{12, 99}, [2]uint64{12, 0})
}

func TestAReadWaitsForAWriteOfItsEntryThatWaitsForItsPort(t *testing.T) {
	s := plain(1, 2, 1)
	s.Bank.Ports, s.Bank.Blocking, s.Bank.WriteLatency = bank.OneReadOneWrite, true, 6
	r := newRig(t, s)
	r.write(10, 0, 1)
	r.write(10, 0, 2)   // the write port is free again at 11 + 6
	r.read(10, 0, 0, 2) // must wait with it, and goes in the same cycle, behind it
	r.read(10, 1, 0, 3) // another entry: need not
	want(t, r.order(0), [2]uint64{12, 99}, [2]uint64{12, 1}, [2]uint64{18, 99}, [2]uint64{18, 0})
}

func TestABlockingBankIsGrantedNothingWhileItIsOccupied(t *testing.T) {
	s := plain(1, 2, 1)
	s.Bank.Blocking, s.Bank.ReadLatency = true, 5
	r := newRig(t, s)
	r.read(10, 0, 0, 1)
	r.read(10, 1, 0, 2)
	want(t, r.order(0), [2]uint64{12, 0}, [2]uint64{17, 1})
}

func TestRoundRobinServesRequestersInTurnAndOldestFirstInOrderOfArrival(t *testing.T) {
	for _, c := range []struct {
		fair Fairness
		want []uint64
	}{
		// Requester 0 has three requests at 11; those of requester 1 come at 12 and 13.
		{ByTurn, []uint64{0, 1, 0, 1}},
		{ByAge, []uint64{0, 0, 0, 1}},
	} {
		s := plain(1, 2, 1)
		s.Fairness = c.fair
		r := newRig(t, s)
		for i := 0; i < 3; i++ {
			r.read(10, 0, 0, uint32(i))
		}
		r.read(11, 1, 0, 9)
		r.read(12, 1, 0, 9)
		var got []uint64
		for _, g := range r.order(0)[:4] {
			got = append(got, g[1])
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.fair, d)
		}
	}
}

// words runs the arbiter and returns the accesses sent to the bank as {requester, word}.
func (r *rig) words() [][2]uint64 {
	r.d.RunUntil(300)
	var out [][2]uint64
	for _, g := range r.banks[0].Got {
		out = append(out, [2]uint64{uint64(g.Msg.Tag), uint64(g.Msg.Hint)})
	}
	return out
}

// ask makes requester i read an entry of bank 0 with a hint, through the one port.
func (r *rig) ask(put wire.Cycle, i int, entry uint32, w bank.Hint) {
	q := request(0, entry, i, uint32(i))
	q.Hint[0] = w
	r.reads[0].Send(put, q)
}

// The read of requester 0 finds the bank idle. The reads of 1 to 4 wait and are granted in turn; those of 1, 3 and
// 4 name one entry. The hints of 1 and 3 are moved to the read of 4, across the other read, and none is lost.
func TestAWordIsHandedOnToTheLastReadOfItsEntryThatWaits(t *testing.T) {
	r := newRig(t, plain(1, 1, 1))
	r.ask(10, 0, 5, 0)
	r.ask(10, 1, 5, 1)
	r.ask(10, 2, 6, 2)
	r.ask(10, 3, 5, 4)
	r.ask(10, 4, 5, 0)
	want(t, r.words(), [2]uint64{0, 0}, [2]uint64{1, 0}, [2]uint64{2, 2}, [2]uint64{3, 0}, [2]uint64{4, 5})
}

func TestAWordStaysWithAReadThatIsAloneWithItsEntry(t *testing.T) {
	r := newRig(t, plain(1, 1, 1))
	r.ask(10, 0, 5, 1)
	r.ask(10, 1, 6, 2)
	r.ask(10, 2, 7, 4)
	r.ask(20, 3, 5, 8)
	want(t, r.words(), [2]uint64{0, 1}, [2]uint64{1, 2}, [2]uint64{2, 4}, [2]uint64{3, 8})
}

func TestAFullQueueOfWritesKeepsReadsOutOfTheDoor(t *testing.T) {
	s := plain(2, 1, 1)
	s.Depth = 1
	s.Bank.Blocking, s.Bank.WriteLatency, s.Bank.Ports = true, 10, bank.OneReadOneWrite
	r := newRig(t, s)
	for i := 0; i < 3; i++ {
		r.write(10, 0, 1) // granted at 11, 21, 31: the third stays at the door until 22
	}
	r.write(10, 1, 7)
	r.read(10, 0, 1, 7) // of what the last write, behind the one at the door, writes
	got := r.order(1)
	want(t, got, [2]uint64{23, 99}, [2]uint64{23, 0})
}

// Every bank gets four reads and a write in one cycle, in turn the write and the
// reads; 128 banks are two words of the arbiter's mask, 256 four.
func TestAnArbiterServesAsManyBanksAsThereAre(t *testing.T) {
	for _, banks := range []int{63, 64, 65, 128, 256} {
		r := newRig(t, plain(banks, 4, 1))
		for b := range banks {
			for i := range 4 {
				r.read(10, i, uint8(b), 5)
			}
			r.write(10, uint8(b), 7)
		}
		for _, b := range []int{0, banks / 2, banks - 1} {
			got := r.order(b)
			if len(got) != 5 || got[0][1] != 99 {
				t.Fatalf("%d banks: bank %d is granted %v, want the write and then four reads", banks, b, got)
			}
		}
		if n := r.reg.Snapshot()["regfile.arbiter.grants"]; n != uint64(5*banks) {
			t.Errorf("%d banks: %d grants, want 5 of each", banks, n)
		}
		if w := r.d.Waiting(); len(w) != 0 {
			t.Errorf("%d banks: %v", banks, w)
		}
	}
}

func TestTheArbiterOfASecondLevelIsCountedUnderANameOfItsOwn(t *testing.T) {
	var reg stats.Registry
	s := BanksSpec{Banks: 1, Bank: bank.Spec{Timing: bank.Timing{ReadLatency: 1, WriteLatency: 1}, Entries: 1,
		Slices: 1}, Depth: 1,
		Readers: 1, ReadRoom: 1, WriteRoom: 1, Prefix: "x.cache", Of: "a cache"}
	if _, err := NewBanks("A", wire.NewDomain("Core", 1e9), s, &reg); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range reg.Stats() {
		got = append(got, s.Name+": "+s.Description)
	}
	want := []string{
		"x.cache.grants: accesses that the arbiters granted to their banks of a cache",
		"x.cache.read_conflicts: conflict cycles of reads of a cache: request-cycles spent waiting because the bank " +
			"is taken",
		"x.cache.write_conflicts: conflict cycles of writes of a cache: request-cycles spent waiting because the " +
			"bank is taken",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("statistics (-want +got):\n%s", d)
	}
}
