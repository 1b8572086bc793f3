package cerf

import (
	"fmt"
	"math/bits"

	"kumiko/components/bank"
	"kumiko/components/tagarray"
	"kumiko/components/wire"
	"kumiko/memsys/cache"
	"kumiko/memsys/l1"
	"kumiko/memsys/req"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// Kinds of contents of a way.
const (
	kindLine = iota
	kindRegister
	numKinds
)

// Tags has the tag banks of the memory, and the unit for replacement, spills and refetches.
type Tags struct {
	wire.Comp
	spec Spec

	Granted []wire.InPort[bank.Access]
	Access  []wire.OutPort[bank.Access]
	Values  wire.InPort[bank.Value]
	Operand wire.OutPort[bank.Value]
	Txn     wire.InPort[req.Txn]
	Read    wire.OutPort[bank.Request]
	Write   wire.OutPort[bank.Access]
	Hit     wire.OutPort[req.Done]
	Fill    wire.OutPort[req.Done]
	Miss    wire.OutPort[req.Packet]
	Reply   wire.InPort[req.Packet]
	CTAs    wire.InPort[regfile.CTANotice]

	core *cache.Core[waiter]
	back backing
	// there holds the present lanes of each entry's register, and all lanes for a line.
	there    []uint32 `soft:"lane masks: State counts them where the setting has them"`
	places   places
	banks    []tagBank `part:"Bank"`
	lines    lines
	leave    leaving
	drain    draining
	contexts contexts
	count    counters   `soft:"statistics"`
	hit      wire.Cycle // latency of Hit's link
}

// contexts tracks the warps with registers in the memory.
type contexts struct {
	owner []uint16 `bits:"8"` // by context: the slot of its CTA, or nobody
	each  int      // registers per warp of the running kernel
}

// tagBank is the state of a tag bank in a cycle.
type tagBank struct {
	left bank.Budget // lookups left in cycle at
	at   wire.Cycle
}

// places maps an entry of the tags to its row in the banks.
type places struct {
	ways, groups uint // log2
	budget       bank.Budget
	end          uint8 // To of reads for the tags themselves
}

// row returns the row of an entry in the data banks of its tag bank.
func (p *places) row(entry int) uint32 {
	return uint32(entry>>(p.ways+p.groups)<<p.ways | entry&(1<<p.ways-1))
}

// groupOf returns the tag bank of an address.
func (p *places) groupOf(addr uint64) int { return int(addr>>lineShift) & (1<<p.groups - 1) }

const lineShift = 7

// New builds the tags of the sub-core described by p.
func New(p *conventional.Part, s Spec) (*Tags, error) {
	if err := s.fits(p.Env.Capacity); err != nil {
		return nil, err
	}
	groups := s.base.Banks * s.base.BankWidth / req.LineBytes
	registers := max(s.entries(), 1<<bits.Len(uint(p.Env.Warps*p.Env.Registers-1)))
	if p.Env.Capacity > 0 {
		registers = s.entries()
	}
	region, err := p.Env.Region(uint64(registers) * req.LineBytes)
	if err != nil {
		return nil, err
	}
	core, err := cache.New[waiter](cache.Spec{
		Geometry: cache.Geometry{MSHR: s.MSHR, Tags: tagarray.Spec{Sets: s.sets(), Ways: s.Ways, Line: req.LineBytes,
			Sector: req.LineBytes, Replace: "lru", Index: "linear"}},
		OnFill: true, Yield: s.yield(),
	})
	if err != nil {
		return nil, err
	}
	ports, err := bank.ParsePorts("bank_ports", s.base.BankPorts)
	if err != nil {
		return nil, err
	}
	x := &Tags{spec: s, core: core, back: backing{Region: region, spilled: make([]bool, registers)},
		there: make([]uint32, s.entries()),
		banks: make([]tagBank, groups), contexts: contexts{each: p.Env.Registers},
		places: places{ways: uint(bits.Len(uint(s.Ways)) - 1), groups: uint(bits.Len(uint(groups)) - 1),
			budget: ports.Budget(), end: uint8(p.Collectors)}}
	for range p.Env.Warps {
		x.contexts.owner = append(x.contexts.owner, nobody)
	}
	if p.Env.Checker != nil {
		x.back.check(registers, s.MSHR.Entries)
	}
	x.drain.group = -1
	x.hit = wire.Cycle(max(1, s.Latency-l1.Overhead-s.way()))
	x.initPorts(p, ports, groups)
	x.lines.init(&s)
	x.leave.init(s.MissQueue)
	x.count.register(x, p.Env.Stats)
	return x, nil
}

// yield returns the kinds of contents that may be replaced.
func (s *Spec) yield() uint16 {
	if s.Policy == Prioritized {
		return 1 << kindLine
	}
	return 1<<kindLine | 1<<kindRegister
}

// way returns the number of cycles from the sending of a transaction's lookup to its data: the links to the
// arbiter, the tags, the banks and the crossbar.
func (s *Spec) way() int {
	return 3 + s.base.ReadLatency + s.base.Paths.Latency + s.base.Paths.Cycles - 1
}

func (x *Tags) initPorts(p *conventional.Part, ports bank.Ports, groups int) {
	x.Init(p.Name+".Tags", p.Env.Domain, x)
	x.Granted, x.Access = make([]wire.InPort[bank.Access], groups), make([]wire.OutPort[bank.Access], groups)
	for g := range groups {
		x.Granted[g].Init(&x.Comp, fmt.Sprintf("Granted[%d]", g), 2*ports.Count())
		x.Access[g].Init(&x.Comp, fmt.Sprintf("Access[%d]", g))
	}
	x.Values.Init(&x.Comp, "Values", (x.spec.base.Paths.Latency+x.spec.base.Paths.Cycles)*groups*ports.Reads())
	x.Operand.Init(&x.Comp, "Operand")
	x.Txn.Init(&x.Comp, "Txn", x.spec.Queue)
	x.Read.Init(&x.Comp, "Read")
	x.Write.Init(&x.Comp, "Write")
	x.Hit.Init(&x.Comp, "Hit")
	x.Fill.Init(&x.Comp, "Fill")
	x.Miss.Init(&x.Comp, "Miss")
	x.Reply.Init(&x.Comp, "Reply", 2)
	x.CTAs.Init(&x.Comp, "CTAs", 2)
}

// extension returns the tags' ports for the conventional file.
func (x *Tags) extension() *conventional.Extension {
	g := &conventional.Extension{
		Read: &x.Read, Write: &x.Write, Reads: 1, Writes: 1,
		Causes: 1<<bank.Line | 1<<bank.Eviction | 1<<bank.Prefetch,
		Stages: 1, More: 1, Rows: x.spec.entries() / len(x.banks),
		Values: &x.Values, Operand: &x.Operand, Operands: 1, Latency: 1, Hints: x.spec.operandHints(),
	}
	for i := range x.Granted {
		g.Granted = append(g.Granted, &x.Granted[i])
		g.Access = append(g.Access, &x.Access[i])
	}
	return g
}

// Tick first frees space: ends, victims, replies. Then it serves the accesses granted by the arbiter, and then
// transactions.
func (x *Tags) Tick(now wire.Cycle) bool {
	x.takeEnds(now)
	x.takeValues()
	again := x.takeReplies(now)
	for g := range x.banks {
		again = x.serve(g, now) || again
	}
	again = x.sendMisses(now) || again
	return x.sendLookups() || again
}

// occupy occupies a lookup port of a tag bank in this cycle, or returns false if none is left.
func (x *Tags) occupy(g int, write bool, now wire.Cycle) bool {
	b := &x.banks[g]
	if b.at != now {
		b.at, b.left = now, x.places.budget
	}
	if write {
		return b.left.TakeWrite()
	}
	return b.left.TakeRead()
}

// serve looks up the accesses granted by the arbiter to a tag bank. It reports whether an access waits for the
// ports of the next cycle.
func (x *Tags) serve(g int, now wire.Cycle) bool {
	in := &x.Granted[g]
	for a := in.Head(); a != nil; a = in.Head() {
		if x.drain.group == g {
			return true // the fill's value is read first
		}
		if x.Access[g].Room(2) < 2 {
			x.Access[g].CanPut()
			return x.Access[g].Room(1) > 0 // space for an access and its victim; no port wakes for the second place
		}
		if !x.occupy(g, a.Kind != bank.Read, now) {
			x.count.tagConflicts += uint64(in.Len())
			return true
		}
		if !x.access(g, a, now) {
			x.count.waits++
			return true
		}
		in.Pop()
	}
	return false
}

// access does one access. It returns false, without any effect, if the access must wait.
func (x *Tags) access(g int, a *bank.Access, now wire.Cycle) bool {
	switch {
	case a.To == x.places.end && a.Cause == bank.Line:
		return x.lineAccess(g, a, now)
	case a.Kind == bank.Read:
		return x.readRegister(g, a, now)
	}
	return x.writeRegister(g, a, now)
}

// send sends an access of an entry to the data banks.
func (x *Tags) send(g int, entry int, a *bank.Access) {
	out := x.Access[g].Slot()
	*out = *a
	out.Entry, out.Bank = x.places.row(entry), uint8(g)
	x.Access[g].PutSlot()
}

// Waiting reports the accesses held up by the tags.
func (x *Tags) Waiting() string {
	n := 0
	for g := range x.Granted {
		n += x.Granted[g].Len()
	}
	if n+x.Txn.Len()+x.core.Used()+x.leave.n+x.lines.n == 0 {
		return ""
	}
	return fmt.Sprintf("%d accesses wait at the tags, %d transactions under way, %d before them; %d registers or "+
		"lines on their way from %s, %d to it",
		n, x.lines.n, x.Txn.Len(), x.core.Used(), x.Miss.Name(), x.leave.n)
}
