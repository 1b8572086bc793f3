package arbiter

import (
	"cmp"
	"fmt"
	"math/bits"

	"kumiko/components/bank"
	"kumiko/components/line"
	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
)

// Fairness decides which of the reads waiting for a bank goes first.
type Fairness uint8

// Fairness policies.
const (
	ByTurn Fairness = iota // round robin over the requesters (Access.To)
	ByAge                  // the oldest read
	numFairness
)

var fairnessNames = [numFairness]string{"round-robin", "oldest"}

// String returns the policy's name in configurations.
func (f Fairness) String() string { return fairnessNames[f] }

// ParseFairness returns the policy of the given name.
func ParseFairness(key, name string) (Fairness, error) {
	for f, n := range fairnessNames {
		if n == name {
			return Fairness(f), nil
		}
	}
	return 0, spec.Errorf(key, name, "round-robin or oldest")
}

// BanksSpec configures the arbiter before the banks.
type BanksSpec struct {
	Banks    int
	Bank     bank.Spec // ports and occupancy of every bank
	Fairness Fairness
	Depth    int // capacity of each read queue and of each write queue, in requests
	Readers  int // ports for reads
	Writers  int // ports for writes
	// ReadRoom and WriteRoom are the capacities of a read port and of a write port, in messages, including those on
	// the link.
	ReadRoom  int
	WriteRoom int
	// Prefix begins the names of the statistics; empty: "regfile.arbiter". Of names the owner of the banks in their
	// descriptions; empty: no owner is named.
	Prefix, Of string
}

// mostDepth bounds the capacity of each queue of a bank, in requests. mostPorts bounds the number of read ports and
// the number of write ports.
const (
	mostDepth = 1 << 10
	mostPorts = 1 << 8
)

// Check refuses impossible settings of an arbiter.
func (s *BanksSpec) Check() error {
	if err := s.Bank.Check(); err != nil {
		return err
	}
	switch {
	case s.Banks < 1 || s.Banks > bank.MostBanks:
		return spec.Errorf("banks", s.Banks, "1 to %d banks that share an arbiter", bank.MostBanks)
	case s.Fairness >= numFairness:
		return spec.Errorf("arbitration", int(s.Fairness), "round-robin or oldest")
	case s.Depth < 1 || s.Depth > mostDepth:
		return spec.Errorf("bank_queue", s.Depth, "1 to %d requests per bank", mostDepth)
	case s.Readers < 0 || s.Readers > mostPorts:
		return spec.Errorf("readers", s.Readers, "0 to %d", mostPorts)
	case s.Writers < 0 || s.Writers > mostPorts:
		return spec.Errorf("writers", s.Writers, "0 to %d", mostPorts)
	}
	return nil
}

// Banks is the arbiter before the banks of a register file.
type Banks struct {
	wire.Comp

	Read  []wire.InPort[bank.Request]
	Write []wire.InPort[bank.Access]
	Out   []wire.OutPort[bank.Access]

	fair     Fairness
	blocking bool
	budget   bank.Budget                 // of each bank in a cycle
	queues   []bankQueue                 `part:"Queue"`
	waiting  [bank.MostBanks / 64]uint64 `bits:"queues" room:"1"` // banks with a request queued; the others are idle
	words    int                         // number of words of waiting in use
	queued   []uint8                     `bits:"3"` // by read port: how much of the request at its head is queued
	readers  *line.Lines                 // read ports waiting for space in the queues of banks
	writers  *line.Lines                 // write ports likewise

	grants uint64
	// The cycles that queued reads and writes waited in their queues.
	readWaits, writeWaits stats.Histogram
}

// bankQueue has the requests queued for a bank. The fields of a request granted at once come first.
type bankQueue struct {
	at     wire.Cycle
	left   bank.Budget // accesses the bank can still start in cycle at
	turn   uint8       // next requester in turn
	reads  fifo[read]
	writes fifo[write]

	readConflicts  uint64
	writeConflicts uint64
	ports          bank.Calendar // of a blocking bank
}

// NewBanks builds the arbiter. Each Out is to be connected to a bank's In with
// a latency of 1.
func NewBanks(name string, d *wire.Domain, s BanksSpec, reg *stats.Registry) (*Banks, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	x := &Banks{
		fair: s.Fairness, blocking: s.Bank.Blocking, budget: s.Bank.Ports.Budget(),
		queues: make([]bankQueue, s.Banks), queued: make([]uint8, s.Readers),
		Read: make([]wire.InPort[bank.Request], s.Readers), Write: make([]wire.InPort[bank.Access], s.Writers),
		Out: make([]wire.OutPort[bank.Access], s.Banks), words: (s.Banks + 63) / 64,
		readers: line.New(s.Banks, s.Readers), writers: line.New(s.Banks, s.Writers),
	}
	prefix, of := cmp.Or(s.Prefix, "regfile.arbiter"), ""
	if s.Of != "" {
		of = " of " + s.Of
	}
	x.Init(name, d, x)
	for i := range x.Read {
		x.Read[i].Init(&x.Comp, fmt.Sprintf("Read[%d]", i), s.ReadRoom)
	}
	for i := range x.Write {
		x.Write[i].Init(&x.Comp, fmt.Sprintf("Write[%d]", i), s.WriteRoom)
	}
	for i := range x.queues {
		q := &x.queues[i]
		q.reads.buf, q.writes.buf = make([]read, s.Depth), make([]write, s.Depth)
		q.ports = bank.NewCalendar(&s.Bank)
		x.Out[i].Init(&x.Comp, fmt.Sprintf("Out[%d]", i))
		out := fmt.Sprintf("%s.Out[%d]", name, i)
		reg.Count(prefix+".read_conflicts", stats.Cycles, "conflict cycles of reads"+of+
			": request-cycles spent waiting because the bank is taken", out, &q.readConflicts)
		reg.Count(prefix+".write_conflicts", stats.Cycles, "conflict cycles of writes"+of+
			": request-cycles spent waiting because the bank is taken", out, &q.writeConflicts)
	}
	reg.Count(prefix+".grants", stats.Accesses, "accesses that the arbiters granted to their banks"+of, name, &x.grants)
	const queued = "cycles in the queue of a bank%s, of %s that were not granted when they arrived"
	reg.Histogram(prefix+".read_wait", stats.Cycles, fmt.Sprintf(queued, of, "reads"), &x.readWaits)
	reg.Histogram(prefix+".write_wait", stats.Cycles, fmt.Sprintf(queued, of, "writes"), &x.writeWaits)
	return x, nil
}

// Tick grants or queues the arrived requests, then grants queued ones.
func (x *Banks) Tick(now wire.Cycle) bool {
	again := x.admitWrites(now)
	if !again {
		again = x.admitReads(now)
	}
	for w := range x.words {
		for m := x.waiting[w]; m != 0; m &= m - 1 {
			x.grant(w<<6+bits.TrailingZeros64(m), now)
		}
		again = again || x.waiting[w] != 0
	}
	return again
}

// idle reports whether no request is queued for bank b.
func (x *Banks) idle(b uint8) bool { return x.waiting[b>>6]>>(b&63)&1 == 0 }

// busy records a queued request for bank b.
func (x *Banks) busy(b uint8) { x.waiting[b>>6] |= 1 << (b & 63) }

// start occupies one of the bank's SRAM ports for this cycle, or reports false if none is free.
func (x *Banks) start(q *bankQueue, k bank.Kind, now wire.Cycle) bool {
	if q.at != now {
		q.at, q.left = now, x.budget
	}
	if x.blocking && !q.ports.Take(now, k) {
		return false
	}
	if k == bank.Read {
		return q.left.TakeRead()
	}
	return q.left.TakeWrite()
}

// grant grants queued accesses of a bank, writes first, until its ports are used up.
func (x *Banks) grant(b int, now wire.Cycle) {
	q := &x.queues[b]
	out := &x.Out[b]
	for q.writes.n > 0 && out.CanPut() && x.start(q, bank.Write, now) {
		w := q.writes.at(0)
		q.writeConflicts += now - w.since
		x.writeWaits.Add(now - w.since)
		x.grants++
		*out.Slot() = w.a
		out.PutSlot()
		q.writes.remove(0)
	}
	for q.reads.n > 0 {
		i := 0
		if q.reads.n > 1 || q.writes.n > 0 {
			i = x.pick(q)
		}
		if i < 0 || !out.CanPut() || !x.start(q, bank.Read, now) {
			break
		}
		r := q.reads.at(i)
		wait := uint64(uint32(now) - r.since)
		q.readConflicts += wait
		x.readWaits.Add(wait)
		x.grants++
		q.turn = r.to + 1
		a := out.Slot()
		a.Content = version.Content{Lanes: r.lanes}
		a.Entry, a.Tag, a.Bank, a.To, a.Slot, a.Kind, a.Cause = r.entry, r.tag, uint8(b), r.to, r.slot, bank.Read,
			r.cause
		a.Warp, a.Reg, a.Hint = 0, 0, r.hint
		if r.hint != 0 && q.reads.n > 1 {
			a.Hint = q.passHint(i)
		}
		out.PutSlot()
		q.reads.remove(i)
	}
	if q.reads.n|q.writes.n == 0 {
		x.waiting[b>>6] &^= 1 << (b & 63)
	}
}

// pick chooses among the reads of a bank. It returns -1 if every read must wait for a write of its entry.
func (x *Banks) pick(q *bankQueue) int {
	best, rank := -1, 256
	for i := 0; i < q.reads.n; i++ {
		r := q.reads.at(i)
		if q.writes.n > 0 && q.waits(r.entry) {
			continue
		}
		if x.fair == ByAge {
			return i
		}
		if d := int(r.to - q.turn); d < rank {
			best, rank = i, d
		}
	}
	return best
}

// passHint returns the word to send with the i-th read, which is now granted. Some bits mark the last read of an
// entry, and must travel with the read granted last. If another read of the entry is still queued, passHint moves the
// whole word to that read and returns 0.
func (q *bankQueue) passHint(i int) bank.Hint {
	r := q.reads.at(i)
	for k := range q.reads.n {
		if o := q.reads.at(k); k != i && o.entry == r.entry {
			o.hint |= r.hint
			return 0
		}
	}
	return r.hint
}

// waits reports whether a write of the entry is queued.
func (q *bankQueue) waits(entry uint32) bool {
	for i := 0; i < q.writes.n; i++ {
		if q.writes.at(i).a.Entry == entry {
			return true
		}
	}
	return false
}

// Waiting names the bank with the most waiting requests.
func (x *Banks) Waiting() string {
	worst, most := -1, 0
	for b := range x.queues {
		if n := x.queues[b].reads.n + x.queues[b].writes.n; n > most {
			worst, most = b, n
		}
	}
	if worst < 0 {
		return ""
	}
	return fmt.Sprintf("%d requests wait for bank %d", most, worst)
}
