package sched

import (
	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/tagarray"
	"kumiko/components/wire"
	"kumiko/memsys/constant"
	"kumiko/sm/program"
	"kumiko/sm/reason"
)

// ConstantSpec configures the caches of operands from the constant bank, one in each sub-core
// (Huerta et al., MICRO 2025, sections 5.1.1 and 5.4).
type ConstantSpec struct {
	Lines   int `toml:"lines" unit:"lines" doc:"lines of a sub-core's cache of constant operands. 0: such operands are always there"`
	Ways    int `toml:"ways" unit:"lines" doc:"lines per set, of which the least recently used is replaced" when:"lines!=0"`
	Line    int `toml:"line_bytes" unit:"bytes" doc:"line size, a power of two" when:"lines!=0"`
	Latency int `toml:"latency" unit:"cycles" doc:"from a miss to the issue of the instruction: the way to the SM's second cache, if that has the line, and back" when:"lines!=0"`
	Hold    int `toml:"hold" unit:"cycles" doc:"for how long after a miss the sub-core issues nothing, unless the line comes, before it turns to other warps" when:"lines!=0"`
}

// Check returns an error for settings outside their ranges.
func (s *ConstantSpec) Check() error {
	if s.Lines == 0 {
		return nil
	}
	switch {
	case s.Latency < 2 || s.Latency > 1000:
		return spec.Errorf("latency", s.Latency, "2 to 1000")
	case s.Hold < 0 || s.Hold > s.Latency:
		return spec.Errorf("hold", s.Hold, "0 to the latency (%d)", s.Latency)
	}
	_, err := constant.Tags(s.Lines, s.Ways, s.Line)
	return err
}

// constants are a sub-core's cache of constant operands, looked up as an instruction issues.
type constants struct {
	Missing wire.OutPort[constant.Line] // to the SM's second cache
	Arrived wire.InPort[constant.Line]

	comp *wire.Comp
	t    *warpTable
	spec ConstantSpec
	tags *tagarray.Array
	// coming are the lines in flight, the first to arrive first.
	coming []comingLine `bits:"42+64" room:"64"`
	hold   wire.Cycle   // until then nothing issues, if a warp still waits
	last   uint64       // slots waiting for the last missing line
	waits  uint64       // slots waiting for any line
	row    reason.Reason

	hits, misses, merged uint64
}

type comingLine struct {
	addr  uint64
	slots uint64
}

// constantCaches blocks warps with a missing operand from the constant bank. After a miss all other
// warps are blocked too, for up to `hold` cycles.
var constantCaches = feature{
	present: func(c *Config, _ *Planes) bool { return c.Constants.Lines > 0 },
	reasons: func(*Planes) []reason.Info {
		return []reason.Info{{Name: "constant", Late: true,
			Doc: "issue slots lost with a warp ready to misses of operands from the constant bank",
			Why: "an operand from the constant bank is missing"}}
	},
	build: func(s *Scheduler, at *site) any {
		c := newConstants(at.config.Constants, at.name, at.reg)
		c.comp, c.t, c.row = &s.Comp, &s.warpTable, at.rows[0]
		c.Missing.Init(&s.Comp, "MissingConstants")
		c.Arrived.Init(&s.Comp, "Constants", 2).SetBehind()
		s.Constants = c
		return c
	},
}

func newConstants(s ConstantSpec, name string, reg *stats.Registry) *constants {
	geometry, err := constant.Tags(s.Lines, s.Ways, s.Line)
	if err != nil {
		panic(err) // Spec.Reconcile has refused it already
	}
	tags, err := tagarray.New(geometry)
	if err != nil {
		panic(err) // likewise
	}
	c := &constants{spec: s, tags: tags}
	reg.Count("sm.constant_cache.hits", stats.Accesses, "instructions that issued with a constant operand", name,
		&c.hits)
	reg.Count("sm.constant_cache.misses", stats.Accesses, "instructions that found their constant operand missing",
		name, &c.misses)
	reg.Count("sm.constant_cache.hits_on_miss", stats.Accesses,
		"instructions whose constant operand was on its way", name, &c.merged)
	return c
}

// ready looks up the constant operand of the instruction chosen from a slot, and reports whether the operand is
// there. On a miss the warp waits for the line.
func (c *constants) ready(addr uint64, slot int, now wire.Cycle) bool {
	a := addr &^ uint64(c.spec.Line-1)
	if e := c.tags.Find(a); e >= 0 {
		c.tags.Touch(e)
		c.hits++
		return true
	}
	c.hold, c.last = now+wire.Cycle(c.spec.Hold), 1<<slot
	for i := range c.coming {
		if c.coming[i].addr == a {
			c.coming[i].slots |= 1 << slot
			c.merged++
			return false
		}
	}
	c.Missing.Put(constant.Line{Addr: a})
	c.coming = append(c.coming, comingLine{a, 1 << slot})
	c.misses++
	return false
}

// holds reports whether nothing is to issue in this cycle because of a miss.
func (c *constants) holds(now wire.Cycle) bool { return c.last != 0 && now < c.hold }

// launch forgets all constants.
func (c *constants) launch() {
	c.tags.Reset()
	c.coming, c.hold, c.last = c.coming[:0], 0, 0
}

func (c *constants) begin(now wire.Cycle) bool {
	c.receive(now)
	return false
}

// receive fills arrived lines and unblocks the warps waiting for them.
func (c *constants) receive(now wire.Cycle) {
	for l := c.Arrived.Take(); l != nil; l = c.Arrived.Take() {
		x := &c.coming[0]
		if x.addr != l.Addr {
			panic("sched: a line of constants arrives out of order")
		}
		e := c.tags.Victim(x.addr)
		c.tags.Replace(e, x.addr, 0)
		c.tags.Fill(e, 1)
		c.waits &^= x.slots
		c.last &^= x.slots
		c.coming = append(c.coming[:0], c.coming[1:]...)
	}
	c.t.Blocked[c.row] = c.waits
	if c.holds(now) {
		c.t.Blocked[c.row] = ^uint64(0)
		c.comp.WakeAt(c.hold)
	}
}

// admit reports whether the operand from the constant bank is there, if the instruction has one. That of an ULDC with
// an index is where its access is.
func (c *constants) admit(slot int, x *program.Inst, now wire.Cycle) bool {
	addr, ok := x.ConstantAt, x.Constant
	if x.Indexed {
		a := c.t.at(slot).headInst().Access
		if ok = a != nil; ok {
			addr = constant.Bank + a.Base
		}
	}
	if !ok || c.ready(addr, slot, now) {
		return true
	}
	c.waits |= 1 << slot
	c.receive(now)
	if !c.holds(now) {
		c.comp.Wake() // for the other warps
	}
	return false
}
