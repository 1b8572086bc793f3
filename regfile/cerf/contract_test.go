package cerf

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/wire"
	"kumiko/memsys/req"
	"kumiko/regfile"
	"kumiko/regfile/contracttest"
)

// around is the surroundings of the tags in an SM, except the collectors: a coalescer sending random transactions,
// an answering memory, and an access unit.
type around struct {
	wire.Comp
	txn     wire.OutPort[req.Txn]
	hit     wire.InPort[req.Done]
	fill    wire.InPort[req.Done]
	miss    wire.InPort[req.Packet]
	reply   wire.OutPort[req.Packet]
	rng     *rand.Rand
	spec    memory
	left    int // transactions to be sent
	awaited int // answers
	queue   []pending
}

// memory is the next level of memory behind the tags.
type memory struct {
	Latency int // cycles to an answer
	Every   int // cycles between two requests that it takes
	Txns    int // transactions
	Lines   int // among which they choose
	Base    uint64
}

type pending struct {
	at wire.Cycle
	p  req.Packet
}

func surround(d *wire.Domain, t *Tags, m memory) *around {
	a := &around{rng: rand.New(rand.NewPCG(7, 7)), spec: m, left: m.Txns}
	a.Init("Around", d, a)
	a.txn.Init(&a.Comp, "Txn")
	a.hit.Init(&a.Comp, "Hit", 64)
	a.fill.Init(&a.Comp, "Fill", 2)
	a.miss.Init(&a.Comp, "Miss", t.spec.MissQueue)
	a.reply.Init(&a.Comp, "Reply")
	wire.Connect(&a.txn, &t.Txn, 1)
	wire.Connect(&t.Hit, &a.hit, int(t.hit))
	wire.Connect(&t.Fill, &a.fill, 1)
	wire.Connect(&t.Miss, &a.miss, 1)
	wire.Connect(&a.reply, &t.Reply, 1)
	a.WakeAt(1)
	return a
}

func (a *around) Tick(now wire.Cycle) bool {
	for _, in := range []*wire.InPort[req.Done]{&a.hit, &a.fill} {
		for in.Head() != nil {
			a.awaited--
			in.Pop()
		}
	}
	if p := a.miss.Head(); p != nil && now%uint64(a.spec.Every) == 0 {
		if !p.Posted() {
			a.queue = append(a.queue, pending{now + uint64(a.spec.Latency), p.Answer()})
		}
		a.miss.Pop()
	}
	for len(a.queue) > 0 && a.queue[0].at <= now && a.reply.CanPut() {
		a.reply.Put(a.queue[0].p)
		a.queue = append(a.queue[:0], a.queue[1:]...)
	}
	if a.left > 0 && now%3 == 0 && a.txn.CanPut() {
		a.txn.Put(a.transaction())
		a.left--
		a.awaited++
	}
	return a.left > 0 || a.awaited > 0 || len(a.queue) > 0 || a.miss.Head() != nil
}

func (a *around) transaction() req.Txn {
	t := req.Txn{Addr: a.spec.Base + uint64(a.rng.IntN(a.spec.Lines))*req.LineBytes, Of: 1, Kind: req.Read,
		Cause: req.GlobalLoad, Sectors: req.AllSectors}
	switch a.rng.IntN(8) {
	case 0, 1:
		t.Kind, t.Cause, t.Full, t.Bytes = req.Write, req.GlobalStore, req.AllSectors, 128
	case 2:
		t.Kind, t.Cause, t.Sectors, t.Bytes = req.Write, req.LocalStore, 2, 8
	case 3:
		t.Kind, t.Cause, t.Bytes, t.Ops, t.Depth = req.Atomic, req.GlobalAtomic, 4, 1, 1
	case 4:
		t.Bypass, t.Around = true, 1
	}
	return t
}

// Waiting says how many answers are missing.
func (a *around) Waiting() string {
	if a.left+a.awaited == 0 {
		return ""
	}
	return fmt.Sprintf("%d transactions not sent, %d not answered", a.left, a.awaited)
}

// kind returns the register file in surroundings of its own. tamper is called for each file built.
func kind(m memory, tamper func(d *wire.Domain, t *Tags)) *regfile.Kind {
	return regfile.Define(regfile.Kind{Name: "cerf"}, regfile.Builder[Spec]{
		Default: Default,
		Build: func(env *regfile.Env, s *Spec) (regfile.Design, error) {
			f, err := NewFile(env, *s)
			if err != nil {
				return nil, err
			}
			surround(env.Domain, f.tags, m)
			if tamper != nil {
				tamper(env.Domain, f.tags)
			}
			return &deaf{f}, nil
		},
	})
}

// deaf is a file without notices: nobody reports CTAs in the contract's tests.
type deaf struct{ f *File }

func (d *deaf) DataPorts() *regfile.Ports { return d.f.DataPorts() }

// quick is a memory with a short latency, slow one with a long latency.
var (
	quick = memory{Latency: 20, Every: 1, Txns: 400, Lines: 40}
	slow  = memory{Latency: 300, Every: 9, Txns: 150, Lines: 90}
)

// variants are memories very different from the default. Memories with few entries spill.
var variants = map[string]struct {
	m memory
	f func(s *Spec)
}{
	"lru-fair":                     {quick, func(*Spec) {}},
	"lru-fair, a slow memory":      {slow, func(*Spec) {}},
	"lru-fair, 64 entries":         {quick, func(s *Spec) { s.Bytes = 64 * 128 }},
	"lru-fair, 64 entries, 2 ways": {slow, func(s *Spec) { s.Bytes, s.Ways = 64*128, 2 }},
	"lru-fair, 64 entries, 8 ways": {quick, func(s *Spec) { s.Bytes, s.Ways = 64*128, 8 }},
	"lru-fair, 8 entries, direct":  {quick, func(s *Spec) { s.Bytes, s.Ways = 8*128, 1 }},
	"lru-fair, lane masks":         {quick, func(s *Spec) { s.Bytes, s.Lanes = 32*128, LanesMask }},
	"lru-fair, lane masks, slow": {slow,
		func(s *Spec) { s.Bytes, s.Ways, s.Lanes, s.MSHR.Entries = 64*128, 2, LanesMask, 2 }},
	"lru-fair, stores evict": {quick, func(s *Spec) { s.Bytes, s.Store = 64*128, StoreEvict }},
	"lru-fair, two MSHRs, slow": {slow,
		func(s *Spec) { s.Bytes, s.Ways, s.MSHR.Entries, s.MissQueue = 64*128, 2, 2, 3 }},
	"lru-fair, one merge": {quick, func(s *Spec) { s.Bytes, s.MSHR.Merges = 64*128, 1 }},
	"lru-fair, one port":  {quick, func(s *Spec) { s.Bytes, s.base.BankPorts = 64*128, "1rw" }},
	"lru-fair, slow blocking banks": {quick,
		func(s *Spec) { s.Bytes, s.base.Blocking, s.base.ReadLatency, s.base.Queue = 64*128, true, 4, 1 }},
	"lru-fair, issue registers": {quick, func(s *Spec) { s.Bytes, s.base.Registers = 64*128, 2 }},
	"lru-fair, a bypass": {quick,
		func(s *Spec) { s.Bytes, s.base.Bypass, s.base.Forward = 64*128, true, 6 }},
	"lru-prioritized": {quick, func(s *Spec) { s.Policy = Prioritized }},
	"lru-prioritized, a slow memory": {slow,
		func(s *Spec) { s.Policy, s.MSHR.Entries, s.MissQueue = Prioritized, 2, 3 }},
	"lru-prioritized, meet":            {quick, func(s *Spec) { s.Policy, s.Dead = Prioritized, DeadMeet }},
	"lru-prioritized, 2 ways":          {quick, func(s *Spec) { s.Policy, s.Ways = Prioritized, 2 }},
	"lru-prioritized, one port":        {quick, func(s *Spec) { s.Policy, s.base.BankPorts = Prioritized, "1rw" }},
	"lru-prioritized, issue registers": {quick, func(s *Spec) { s.Policy, s.base.Registers = Prioritized, 2 }},
	"lru-prioritized, blocking, oldest": {quick, func(s *Spec) {
		s.Policy, s.base.Blocking, s.base.ReadLatency, s.base.Arbitration = Prioritized, true, 3, "oldest"
	}},
	"lru-prioritized, a bypass": {quick,
		func(s *Spec) { s.Policy, s.base.Bypass, s.base.Forward = Prioritized, true, 6 }},
}

func TestVariantsKeepTheContract(t *testing.T) {
	if testing.Short() {
		t.Skip("many organisations")
	}
	for name, v := range variants {
		t.Run(name, func(t *testing.T) {
			contracttest.Contract(t, kind(v.m, nil), contracttest.Tuned(func(spec *Spec, c *contracttest.Config) {
				v.f(spec)
				if spec.base.Bypass {
					c.Known = 5
				}
				c.Ops /= 2
			}))
		})
	}
}

// Whatever there is little of, every run ends.
func TestRandomProgramsEndWithLittleOfEverything(t *testing.T) {
	if testing.Short() {
		t.Skip("many organisations")
	}
	rapid.Check(t, func(t *rapid.T) {
		configs := contracttest.Configs()
		name := rapid.SampledFrom([]string{"four schedulers, dense",
			"two schedulers, dual issue, slow units, little room", "no notices, every register a hazard"}).Draw(t,
			"machine")
		c, s := configs[name], Default()
		c.Seed, c.Ops = rapid.Uint64Range(1, 1000).Draw(t, "seed"), 30
		s.Ways = rapid.SampledFrom([]int{1, 2}).Draw(t, "ways")
		s.Bytes = s.Ways * 128 * rapid.SampledFrom([]int{4, 16, 64}).Draw(t, "sets")
		s.MSHR.Entries, s.MSHR.Merges = 2, rapid.IntRange(1, 3).Draw(t, "merges")
		s.MissQueue, s.Queue = 3, rapid.IntRange(1, 3).Draw(t, "queue")
		s.Lanes = rapid.SampledFrom([]string{LanesSpilled, LanesFetch, LanesMask}).Draw(t, "lanes")
		s.Store = rapid.SampledFrom([]string{StoreAllocate, StoreEvict}).Draw(t, "store")
		m := memory{Latency: rapid.IntRange(1, 500).Draw(t, "latency"), Every: rapid.IntRange(1, 20).Draw(t, "every"),
			Txns: 60, Lines: 70}
		o := contracttest.TwoOrders(t, contracttest.With(kind(m, nil), s), c)
		n := func(name string) uint64 { return o.Stats[name] }
		if out := n("mem.l1.bytes_out.spill"); s.Lanes != LanesMask && out != 128*n("regfile.cerf.spills") {
			t.Errorf("%d bytes of spills, want those of %d registers", out, n("regfile.cerf.spills"))
		}
		if in := n("mem.l1.bytes_in.spill"); in != 128*n("regfile.cerf.refetches") {
			t.Errorf("%d bytes came back, want those of %d registers", in, n("regfile.cerf.refetches"))
		}
		if n("regfile.bank.reads.eviction") != n("regfile.cerf.spills")+n("regfile.cerf.write_backs") {
			t.Errorf("%d victims read for %d spills and %d write-backs", n("regfile.bank.reads.eviction"),
				n("regfile.cerf.spills"), n("regfile.cerf.write_backs"))
		}
	})
}
