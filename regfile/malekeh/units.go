package malekeh

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// Units has the cache collector units of a sub-core.
type Units struct {
	wire.Comp
	conventional.Level

	spec    Spec
	units   []unit                       `part:"Unit"`
	pending []bank.Request               `bits:"type" room:"cap"` // requests not yet served, the oldest first
	issued  wire.Cycle                   // when the last issue of an operation became known
	warps   regfile.WarpSet              `soft:"constants"` // of the sub-core
	bound   wire.Signal[regfile.WarpSet] // warps with a unit
	closed  wire.Signal[regfile.WarpSet] // warps that must not issue
	check   bool
	count   counters
}

// unit is a cache collector unit.
type unit struct {
	entries []entry `row:"Units: registers"`
	warp    uint16
	used    bool   // the unit belongs to warp
	busy    bool   // an operation has still to request its operands; the newest such operation has the number tag
	served  bool   // the unit has served a request in this cycle
	tag     uint32 // see busy
	clock   uint32 // number of uses of entries so far
}

// entry holds a register of the unit's warp.
type entry struct {
	content version.Content // with checking
	valid   uint32          // present lanes
	filling uint32          // lanes on their way from the banks, by the read of source slot of operation tag
	tag     uint32
	last    uint32 // the clock at its last use
	reg     ir.RegID
	slot    uint8
	next    bank.Hint // what Spec.hint says of the next read after its last use; 0: none, or none near
	used    bool
}

// New builds the units of a sub-core.
func New(p *conventional.Part, s Spec) (*Units, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	u := &Units{spec: s, units: make([]unit, s.Units), pending: make([]bank.Request, 0, p.RequestRoom),
		check: p.Env.Checker != nil}
	for i := range u.units {
		u.units[i].entries = make([]entry, s.Entries)
	}
	u.Init(p.Name+".Units", p.Env.Domain, u)
	u.InitPorts(&u.Comp, p, p.Collectors*ir.NumSources, true)
	u.bound.Init(&u.Comp, regfile.WarpSet{})
	u.closed.Init(&u.Comp, regfile.WarpSet{})
	for w := range p.Env.Warps {
		if s := w % p.Env.Schedulers; s >= p.First && s < p.First+p.Schedulers {
			u.warps.Add(w)
		}
	}
	u.count.register(u.Name(), p.Env.Stats)
	return u, nil
}

// extension returns the units' ports for the conventional file. Each unit gives the operands of a request at once.
func (u *Units) extension() *conventional.Extension {
	x := u.Before(u.spec.Units * bank.MaxReads)
	x.Fill = &u.Fill
	x.Hints = bank.Hints{AnyOrder: true,
		Source: func(t *ir.Timing, i int) bank.Hint { return u.spec.hint(t.NextSrc[i]) },
		Result: func(t *ir.Timing, i int) bank.Hint { return u.spec.hint(t.NextDst[i]) }}
	return x
}

// hint returns the hint of a value read again after so many instructions.
func (s *Spec) hint(next uint8) bank.Hint {
	if s.Hints == Distance {
		return bank.Hint(next)
	}
	if s.near(bank.Hint(next)) {
		return 1
	}
	return 0
}

// near reports whether a hint is of a near value.
func (s *Spec) near(h bank.Hint) bool { return h > 0 && int(h) <= s.Near }

// Tick receives values of the banks, then notices, then results, then requests. It returns true if messages wait, or
// warps for the gate.
func (u *Units) Tick(now wire.Cycle) bool {
	u.takeFills()
	u.takeNotices(now)
	waiting := !u.takeResults() || u.takeRequests() // a read must not overtake a result
	return u.gate(now) || waiting
}

// unitOf returns the unit of a warp, or nil.
func (u *Units) unitOf(warp uint16) *unit {
	for i := range u.units {
		if c := &u.units[i]; c.used && c.warp == warp {
			return c
		}
	}
	return nil
}

// find returns the entry of a register, or nil.
func (c *unit) find(r ir.RegID) *entry {
	for i := range c.entries {
		if e := &c.entries[i]; e.used && e.reg == r {
			return e
		}
	}
	return nil
}

// claim allocates an entry to a register: a free one, or else the one whose value is read latest or never. Among equals
// it takes the entry used last, because the distance to the next read counts from the use. Entries that wait for
// operands of operation tag from the banks stay. If no other is left, claim returns nil.
func (c *unit) claim(r ir.RegID, tag uint32) *entry {
	var best *entry
	for i := range c.entries {
		e := &c.entries[i]
		if !e.used {
			best = e
			break
		}
		if (e.filling == 0 || e.tag != tag) && (best == nil || e.before(best)) {
			best = e
		}
	}
	if best != nil {
		*best = entry{used: true, reg: r}
	}
	return best
}

// before reports whether e gives way before o.
func (e *entry) before(o *entry) bool {
	// A hint of 0 means that nothing reads the value again. Less 1 it becomes the largest number, and so the farthest
	// read.
	if a, b := e.next-1, o.next-1; a != b {
		return a > b
	}
	return e.last > o.last
}

// use records a use of an entry, with the hint that it has from then on.
func (c *unit) use(e *entry, h bank.Hint) {
	c.clock++
	e.last, e.next = c.clock, h
}

// Waiting reports the messages held up by the units.
func (u *Units) Waiting() string {
	n, r := u.Request.Len()+len(u.pending), u.Result.Len()
	if n+r == 0 {
		return ""
	}
	return fmt.Sprintf("%d requests and %d results wait", n, r)
}
