package memsys

import (
	"errors"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/spec"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/memsys/internal/blocktest"
)

// tight is a machine with every queue as small as possible.
func tight(s Spec) Spec {
	s.Access.InFlight, s.Access.Queue = 3, 1
	s.Coalescer.Queue, s.Shared.Queue, s.Constant.Queue, s.DesignQueue = 1, 1, 1, 1
	s.L1.Queue, s.L1.MissQueue, s.L1.MSHR.Entries, s.L1.MSHR.Merges = 1, 2, 2, 1
	s.L1.Tags.Sets, s.L1.Tags.Ways = 2, 1
	s.Texture = s.L1
	s.NoC.Buffer = 1
	s.L2.Queue, s.L2.MissQueue, s.L2.MSHR.Entries, s.L2.MSHR.Merges, s.L2.AtomicQueue = 1, 2, 2, 1, 1
	s.L2.Tags.Sets, s.L2.Tags.Ways = 2, 1
	s.DRAM.Queue, s.DRAM.Return, s.DRAM.High, s.DRAM.Low = 2, 1, 1, 0
	s.Fixed.Buffer = 1
	return s
}

// anyAccess draws an access of any sort to a few lines.
func anyAccess(r *rand.Rand) Access {
	spaces := []ir.Space{ir.Global, ir.Global, ir.Global, ir.Local, ir.Shared, ir.Const, ir.Texture, ir.Generic}
	space := spaces[r.IntN(len(spaces))]
	ops := []ir.Op{ir.OpLd, ir.OpLd, ir.OpSt}
	switch space {
	case ir.Global, ir.Generic:
		ops = append(ops, ir.OpAtom, ir.OpRed, ir.OpPrefetch)
	case ir.Texture:
		ops = []ir.Op{ir.OpTex}
	case ir.Const:
		ops = []ir.Op{ir.OpLd}
	}
	in := inst(ops[r.IntN(len(ops))], 4<<r.IntN(3))
	if r.IntN(8) == 0 {
		in.Mods.Cache = ir.CacheCG
	}
	a := Access{Inst: in, Exec: r.Uint32() | 1, Warp: uint16(r.IntN(8))}
	if r.IntN(2) == 0 {
		a.Exec = all
	}
	acc := &stream.Access{Space: space}
	a.Acc = acc
	address := func() uint64 {
		x := uint64(r.IntN(64)) * 64
		switch space {
		case ir.Global:
			return ir.GlobalBase + x
		case ir.Generic:
			return []uint64{ir.GlobalBase, ir.SharedWindow, ir.LocalWindow}[r.IntN(3)] + x
		}
		return x
	}
	if space != ir.Generic && r.IntN(2) == 0 {
		acc.Base, acc.Stride = address(), int32(r.IntN(9))*4
		return a
	}
	var addrs []uint64
	for m := a.Exec; m != 0; m &= m - 1 {
		addrs = append(addrs, address())
	}
	*acc = blocktest.Listed(space, addrs...)
	return a
}

// randomMachine is a machine of sms SMs with n random accesses each.
func randomMachine(t testing.TB, s Spec, sms, n int, seed uint64) *machine {
	m := newMachine(t, s, sms)
	for i, v := range m.drivers {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		for range n {
			v.add(anyAccess(r))
		}
	}
	return m
}

func TestEveryAccessIsAnsweredOnceHoweverSmallTheQueues(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := []Spec{GTX980(), GTX480(), Gebhart()}[rapid.IntRange(0, 2).Draw(rt, "gpu")]
		if rapid.Bool().Draw(rt, "tight") {
			s = tight(s)
		}
		s.L1.Allocate = rapid.SampledFrom([]string{"on_miss", "on_fill"}).Draw(rt, "allocate")
		s.L1.Write = rapid.SampledFrom([]string{"through", "evict", "back"}).Draw(rt, "write")
		s.L1.LocalWrite = rapid.SampledFrom([]string{"through", "evict", "back"}).Draw(rt, "local write")
		s.L1.Tags.Sector = rapid.SampledFrom([]int{32, 128}).Draw(rt, "sector")
		s.L1.Banks = rapid.SampledFrom([]int{1, 2, 4}).Draw(rt, "banks")
		s.Coalescer.Rate = rapid.IntRange(1, 4).Draw(rt, "transactions per cycle")
		s.DRAM.Policy = rapid.SampledFrom([]string{"frfcfs", "fcfs"}).Draw(rt, "scheduler")
		s.DRAM.Refresh = rapid.Bool().Draw(rt, "refresh")
		s.DRAM.Clock = rapid.SampledFrom([]int{s.DRAM.Clock, coreMHz, 2 * coreMHz, coreMHz / 2, 877, 97}).Draw(rt,
			"clock")
		s.DRAM.Latency, s.DRAM.Back = rapid.IntRange(1, 100).Draw(rt, "latency"),
			rapid.IntRange(1, 5).Draw(rt, "return latency")
		m := randomMachine(t, s, rapid.IntRange(1, 4).Draw(rt, "SMs"), 60, rapid.Uint64().Draw(rt, "seed"))
		m.run(t)
		if w := m.engine.Waiting(); len(w) != 0 {
			t.Fatalf("blocks wait after the end: %v", w)
		}
	})
}

// Replies leave the interconnect whether or not their answers are accepted. Answers that are not accepted stay in the
// slots of the access units and nowhere else.
func TestTheMemoryComesToRestWhenNobodyTakesAnswers(t *testing.T) {
	for _, s := range []Spec{GTX980(), tight(GTX980()), tight(GTX480()), Gebhart()} {
		s.Access.InFlight = 40
		m := randomMachine(t, s, 2, 150, 9)
		for i, v := range m.drivers {
			m.sides[i].Access.Sink()
			v.deaf = true
		}
		if _, err := m.engine.RunUntil(m.dom, 1_000_000); err == nil {
			t.Fatal("no error, want that of a machine in which drivers wait for ever")
		}
		for i, side := range m.sides {
			for _, w := range []wire.Waiter{side.L1.Tags, side.Texture.Tags, side.Port, side.Shared, side.Constant} {
				if s := w.Waiting(); s != "" {
					t.Errorf("SM %d: a block waits: %s", i, s)
				}
			}
			if n := side.Access.InFlight(); n != 40 {
				t.Errorf("SM %d: %d accesses in the slots, want all 40 slots taken", i, n)
			}
		}
		for _, v := range m.drivers {
			v.deaf = false
			v.Wake()
		}
		m.run(t)
	}
}

// refreshing is a memory system whose DRAM has many refreshes.
func refreshing(s Spec) Spec {
	s.DRAM.Refresh, s.DRAM.REFI, s.DRAM.RFC = true, 400, 90
	return s
}

// clocked is a memory system whose DRAM has another clock.
func clocked(s Spec, mhz int) Spec {
	s.DRAM.Clock = mhz
	return s
}

func TestFlushedCachesAreCold(t *testing.T) {
	m := newMachine(t, GTX980(), 1)
	v := m.drivers[0]
	a := line(load4, ir.Global, ir.GlobalBase)
	for range 2 {
		v.add(a)
		m.run(t)
		for _, s := range m.sides {
			s.Flush()
		}
		m.sys.Flush()
	}
	if got := m.stat("mem.dram.reads"); got != 2 {
		t.Errorf("%d DRAM reads, want 2", got)
	}
}

func TestADesignHasItsOwnWayToTheL2(t *testing.T) {
	m := newMachine(t, GTX980(), 1)
	p := &designer{}
	p.Init("Design", m.dom, p)
	p.out.Init(&p.Comp, "Out")
	p.in.Init(&p.Comp, "In", 2)
	wire.Connect(&p.out, m.sides[0].DesignIn, 1)
	wire.Connect(m.sides[0].DesignOut, &p.in, 1)
	m.run(t)
	if p.got.Tag != 77 || !p.got.Reply {
		t.Errorf("reply %+v, want that to tag 77", p.got)
	}
	if got := m.stat("mem.dram.bytes.context"); got != 128 {
		t.Errorf("%d bytes of contexts from DRAM, want 128", got)
	}
}

// designer sends one request for a register of a pending CTA.
type designer struct {
	wire.Comp
	out  wire.OutPort[Packet]
	in   wire.InPort[Packet]
	sent bool
	got  Packet
}

func (p *designer) Tick(wire.Cycle) bool {
	if !p.sent {
		p.out.Put(Packet{Addr: 1 << 41, Tag: 77, Sectors: 0xf, Cause: 8})
		p.sent = true
	}
	if r := p.in.Head(); r != nil {
		p.got = *r
		p.in.Pop()
	}
	return false
}

func TestAStreamReachesTheBandwidthOfTheDRAM(t *testing.T) {
	s := GTX980()
	m := newMachine(t, s, 16)
	const lines = 3000
	for i, v := range m.drivers {
		for k := range lines {
			v.add(line(load4, ir.Global, ir.GlobalBase+uint64(k*16+i)*128))
		}
	}
	m.run(t)
	var last wire.Cycle
	for _, v := range m.drivers {
		for _, c := range v.done {
			last = max(last, c)
		}
	}
	peak := s.DRAM.Peak() * float64(s.DRAM.Channels) / (coreMHz * 1e6) // bytes per core cycle
	if got := 16 * lines * 128 / float64(last) / peak; got < 0.85 {
		t.Errorf("%.3f of the peak bandwidth, want 0.85 (lines are placed at random)", got)
	}
}

func TestDefaultsCanBeBuiltAndHaveTheSizesOfTheirSources(t *testing.T) {
	a, b, c := GTX980(), GTX480(), Gebhart()
	for _, s := range []*Spec{&a, &b, &c} {
		if err := s.Check(); err != nil {
			t.Error(err)
		}
	}
	if a.L1.Tags.Bytes() != 48<<10 || a.L2.Bytes() != 2048<<10 {
		t.Errorf("GTX 980: L1 %d, L2 %d bytes; FineReg table I: 48 KB, 2048 KB", a.L1.Tags.Bytes(), a.L2.Bytes())
	}
	if got := a.DRAM.Peak() * float64(a.DRAM.Channels); got < 352.4e9 || got > 352.6e9 {
		t.Errorf("GTX 980: %.1f GB/s; FineReg table I: 352.5", got/1e9)
	}
	if b.L1.Tags.Bytes() != 16<<10 || b.L2.Bytes() != 768<<10 || b.Texture.Tags.Bytes() != 12<<10 {
		t.Errorf("GTX 480: L1 %d, L2 %d, texture %d bytes; want 16, 768 and 12 KB", b.L1.Tags.Bytes(), b.L2.Bytes(),
			b.Texture.Tags.Bytes())
	}
	if got := b.DRAM.Peak() * float64(b.DRAM.Channels); got < 177.3e9 || got > 177.5e9 {
		t.Errorf("GTX 480: %.1f GB/s, want 177.4", got/1e9)
	}
}

func TestSpecsThatCannotBeBuiltAreRefusedByKey(t *testing.T) {
	for key, change := range map[string]func(*Spec){
		"backing":                 func(s *Spec) { s.Backing = "hbm" },
		"access.in_flight":        func(s *Spec) { s.Access.InFlight = 0 },
		"coalescer.segment_bytes": func(s *Spec) { s.Coalescer.Segment = 64 },
		"shared.banks":            func(s *Spec) { s.Shared.Banks = 33 },
		"constant.latency":        func(s *Spec) { s.Constant.Latency = 1 },
		"l1.tags.sets":            func(s *Spec) { s.L1.Tags.Sets = 0 },
		"l1.write":                func(s *Spec) { s.L1.Write = "around" },
		"texture.mshr.merges":     func(s *Spec) { s.Texture.MSHR.Merges = 0 },
		"noc.latency":             func(s *Spec) { s.NoC.Latency = s.NoC.Lane + 1 },
		"map.interleave":          func(s *Spec) { s.Map.Policy = "xor"; s.L2.Slices = 12; s.DRAM.Channels = 6 },
		"l2.slices":               func(s *Spec) { s.DRAM.Channels = 5 },
		"l2.tags.sector_bytes":    func(s *Spec) { s.L2.Tags.Sector = 64 },
		"dram.trcd":               func(s *Spec) { s.DRAM.RCD = 0 },
		// What would overflow, or take all memory:
		"shared.latency":       func(s *Spec) { s.Shared.Latency = 1 << 40 },
		"l1.mshr.merges":       func(s *Spec) { s.L1.MSHR.Merges = 1 << 62 },
		"l1.tags.ways":         func(s *Spec) { s.L1.Tags.Ways = 1 << 62 },
		"l1.miss_queue":        func(s *Spec) { s.L1.MissQueue = 1 << 40 },
		"texture.latency":      func(s *Spec) { s.Texture.Latency = 1 << 40 },
		"l2.tags.sets":         func(s *Spec) { s.L2.Tags.Sets = 1 << 40 },
		"dram.row_bytes":       func(s *Spec) { s.DRAM.Row = 1 << 62 },
		"map.interleave_bytes": func(s *Spec) { s.Map.Block = 1 << 62 },
	} {
		s := GTX980()
		change(&s)
		var e *spec.Error
		if err := s.Check(); !errors.As(err, &e) || e.Key != key {
			t.Errorf("%s: error %v", key, err)
		}
	}
}

func TestTheDRAMNeedsAPartitionForItsClock(t *testing.T) {
	for _, c := range []struct {
		s    Spec
		lone bool
	}{{GTX980(), false}, {Gebhart(), true}} {
		if _, err := NewSystem(wire.NewDomain("Core", coreMHz*1e6), &c.s, 1, 1, nil); (err == nil) != c.lone {
			t.Errorf("%s in a domain that stands alone: error %v", c.s.Backing, err)
		}
	}
}
