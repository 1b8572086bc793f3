package arbiter

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
)

// floodRig is an arbiter with a flood at every port. The tag of an access is the number of its port.
type floodRig struct {
	d     *wire.Domain
	x     *Banks
	banks []*wiretest.Sink[bank.Access]
}

func drawSpec(t *rapid.T, readers, writers int) BanksSpec {
	s := plain(rapid.IntRange(1, 4).Draw(t, "banks"), readers, writers)
	s.Bank.Ports = bank.Ports(rapid.IntRange(0, 3).Draw(t, "ports"))
	s.Bank.Blocking = rapid.Bool().Draw(t, "blocking")
	s.Bank.ReadLatency, s.Bank.WriteLatency = rapid.IntRange(1, 4).Draw(t, "read latency"),
		rapid.IntRange(1, 4).Draw(t, "write latency")
	s.Fairness = Fairness(rapid.IntRange(0, 1).Draw(t, "fairness"))
	s.Depth = rapid.IntRange(1, 16).Draw(t, "depth")
	return s
}

func newFloodRig(t *rapid.T, s BanksSpec) *floodRig {
	r := &floodRig{d: wire.NewDomain("Core", 1e9)}
	var err error
	if r.x, err = NewBanks("Arbiter", r.d, s, nil); err != nil {
		t.Fatal(err)
	}
	for i := range r.x.Out {
		k := wiretest.NewLooseSink[bank.Access]("Bank", r.d, 2*s.Bank.Ports.Count())
		wire.Connect(&r.x.Out[i], &k.In, 1)
		r.banks = append(r.banks, k)
	}
	return r
}

// granted runs the arbiter and counts accesses by port.
func (r *floodRig) granted(cycles wire.Cycle, ports int) []int {
	r.d.RunUntil(cycles)
	n := make([]int, ports)
	for _, b := range r.banks {
		for _, g := range b.Got {
			n[g.Msg.Tag]++
		}
	}
	return n
}

// equal checks the shares of ports requesting the same bank all the time.
func equal(t *rapid.T, granted, target []int, bound int) {
	for i := range granted {
		for j := range i {
			if target[i] == target[j] && target[i] >= 0 &&
				(granted[i]-granted[j] > bound || granted[j]-granted[i] > bound) {
				t.Fatalf("ports %d and %d, both of bank %d, have %d and %d accesses; they may differ by %d", j, i,
					target[i], granted[j], granted[i], bound)
			}
		}
	}
}

const floodCycles = 800

// In the first cycle one port may be admitted alone, with as many accesses as the bank starts and its queue holds.
// From then on every port using the bank stands in line and goes to its end after each access, so the admitted
// accesses differ by at most one more. As many of them as the queue holds may not be granted yet.
func shareBound(s *BanksSpec) int { return s.Bank.Ports.Count() + 2*s.Depth + 1 }

func TestReadersThatSaturateABankGetEqualShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		readers := rapid.IntRange(2, 12).Draw(t, "readers")
		s := drawSpec(t, readers, 1)
		r := newFloodRig(t, s)
		target := make([]int, readers)
		for i := range target {
			// -1: reads of any banks
			target[i] = rapid.IntRange(-1, s.Banks-1).Draw(t, "target")
			n := rapid.IntRange(1, bank.MaxReads).Draw(t, "reads")
			tos := rapid.IntRange(1, 3).Draw(t, "requesters behind the port")
			salt := rapid.IntRange(0, 9).Draw(t, "salt")
			wiretest.NewFlood("Flood", r.d, &r.x.Read[i], func(k int) bank.Request {
				q := bank.Request{N: uint8(n), To: uint8(3*i + k%tos), Tag: uint32(i)}
				for j := range n {
					q.Bank[j] = uint8(target[i])
					if target[i] < 0 {
						q.Bank[j] = uint8((k*k + salt + j) % s.Banks)
					}
				}
				return q
			})
		}
		got := r.granted(floodCycles, readers)
		equal(t, got, target, shareBound(&s))
	})
}

func TestWritersThatSaturateABankGetEqualShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		writers := rapid.IntRange(2, 12).Draw(t, "writers")
		s := drawSpec(t, 1, writers)
		r := newFloodRig(t, s)
		target := make([]int, writers)
		for i := range target {
			target[i] = rapid.IntRange(-1, s.Banks-1).Draw(t, "target")
			salt := rapid.IntRange(0, 9).Draw(t, "salt")
			wiretest.NewFlood("Flood", r.d, &r.x.Write[i], func(k int) bank.Access {
				a := bank.Access{Bank: uint8(target[i]), Kind: bank.Write, Tag: uint32(i)}
				if target[i] < 0 {
					a.Bank = uint8((k*k + salt) % s.Banks)
				}
				return a
			})
		}
		equal(t, r.granted(floodCycles, writers), target, shareBound(&s))
	})
}

// A read at the head of its port waits at the door for one read of each other
// port at most, and a bank makes room for a read at least once in its occupancy.
// What has been let in waits in the queues.
func TestNoReaderStarvesWhateverTheReadersWant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		readers := rapid.IntRange(2, 12).Draw(t, "readers")
		s := drawSpec(t, readers, 1)
		r := newFloodRig(t, s)
		for i := range readers {
			pattern := rapid.SliceOfN(rapid.IntRange(0, s.Banks-1), 1, 8).Draw(t, "banks of the reads")
			n := rapid.IntRange(1, bank.MaxReads).Draw(t, "reads")
			wiretest.NewFlood("Flood", r.d, &r.x.Read[i], func(k int) bank.Request {
				q := bank.Request{N: uint8(n), To: uint8(i), Tag: uint32(i)}
				for j := range n {
					q.Bank[j] = uint8(pattern[(k*n+j)%len(pattern)])
				}
				return q
			})
		}
		each := readers
		if s.Bank.Blocking {
			each *= s.Bank.ReadLatency
		}
		least := floodCycles/each - s.Depth*s.Banks - 2
		for i, n := range r.granted(floodCycles, readers) {
			if n < least {
				t.Fatalf("reader %d has %d reads in %d cycles, want at least %d", i, n, floodCycles, least)
			}
		}
	})
}

// join drives a block with several inputs, some of them full all the time, into a sink refusing messages in some
// cycles. It counts the passed messages by input.
func join(t *rapid.T, d *wire.Domain, in []wire.InPort[uint64], out *wire.OutPort[uint64]) (n []int, full []bool) {
	sink := wiretest.NewSink("Sink", d, out, rapid.IntRange(1, 4).Draw(t, "room"))
	period := rapid.IntRange(1, 5).Draw(t, "period")
	refuses := rapid.IntRange(0, period-1).Draw(t, "refuses")
	sink.Refuse = func(now wire.Cycle) bool { return int(now)%period < refuses }
	full = make([]bool, len(in))
	for i := range in {
		// A message is its time of birth and its input.
		message := func() uint64 { return uint64(d.Now())<<8 | uint64(i) }
		if full[i] = rapid.Bool().Draw(t, "full"); full[i] {
			wiretest.NewFlood("Flood", d, &in[i], func(int) uint64 { return message() })
			continue
		}
		src := wiretest.NewSource("Source", d, &in[i])
		for at := wire.Cycle(1); at < floodCycles; at += wire.Cycle(rapid.IntRange(2, 200).Draw(t, "gap")) {
			src.Send(at, uint64(at)<<8|uint64(i))
		}
	}
	d.RunUntil(floodCycles)
	n = make([]int, len(in))
	for _, g := range sink.Got {
		n[g.Msg&0xff]++
	}
	return n, full
}

func checkJoin(t *rapid.T, n []int, full []bool, bound int) {
	for i := range n {
		for j := range i {
			if full[i] && full[j] && (n[i]-n[j] > bound || n[j]-n[i] > bound) {
				t.Fatalf("inputs %d and %d, both full all the time, passed %d and %d messages; they may differ by %d",
					j, i, n[j], n[i], bound)
			}
		}
	}
}

// Between two messages of an input every other input with a message has its turn once.
func TestFullInputsOfARoundRobinGetEqualShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := wire.NewDomain("Core", 1e9)
		x := NewRoundRobin[uint64]("Join", d, FaninSpec{Inputs: rapid.IntRange(2, 20).Draw(t, "inputs"),
			Capacity: rapid.IntRange(2, 6).Draw(t, "capacity"), Stat: "join"}, nil)
		n, full := join(t, d, x.In, &x.Out)
		checkJoin(t, n, full, 1)
	})
}
