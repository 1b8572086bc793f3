package constant

import (
	"cmp"
	"math/bits"
	"slices"

	"kumiko/components/cause"
	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/tagarray"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/memsys/passes"
	"kumiko/memsys/req"
)

// Spec configures the constant cache of loads.
type Spec struct {
	Latency int `toml:"latency" unit:"cycles" doc:"from the arrival of a uniform load at the access unit to its reply"`
	Queue   int `toml:"queue" unit:"instructions" range:"1 to 65536" doc:"instructions that may wait in front of the cache"`
	Lines   int `toml:"lines" unit:"lines" doc:"lines of the cache of loads of constants. 0: it always hits"`
	Ways    int `toml:"ways" unit:"lines" doc:"lines per set, of which the least recently used is replaced" when:"lines!=0"`
	Line    int `toml:"line_bytes" unit:"bytes" doc:"line size, a power of two" when:"lines!=0"`
	Miss    int `toml:"miss" unit:"cycles" doc:"from a miss to the arrival of a line that the SM's second cache has" when:"lines!=0"`

	Second SecondSpec `toml:"second"`
}

// Check returns an error for settings outside their ranges.
func (s *Spec) Check() error {
	if err := cmp.Or(spec.Ranges(s),
		spec.InRange("latency", s.Latency, passes.Overhead+1, spec.MostCycles),
		spec.Within("second", s.Second.Check()),
	); err != nil || s.Lines == 0 {
		return err
	}
	_, err := Tags(s.Lines, s.Ways, s.Line)
	return cmp.Or(err, spec.InRange("miss", s.Miss, 2, 1000))
}

// Tags returns the tags of a first cache of constants, or an error for a geometry that is none. A line comes whole, and
// the least recently used one of a set is replaced.
func Tags(lines, ways, line int) (tagarray.Spec, error) {
	if lines < 0 || ways < 1 || lines%ways != 0 {
		return tagarray.Spec{}, spec.Errorf("lines", lines, "0, or a multiple of the ways (%d)", ways)
	}
	t := tagarray.Spec{Sets: lines / ways, Ways: ways, Line: line, Sector: line, Replace: "lru", Index: "linear"}
	return t, t.Check()
}

// Cache is the constant cache of loads.
type Cache struct {
	passes.Server
	Missing wire.OutPort[Line]
	Arrived wire.InPort[Line]

	tags *tagarray.Array // nil: every load hits
	line uint64
	// Lines of the instruction at the head of In: those to be asked for, and those on their way.
	todo, asked []uint64 `bits:"42" room:"32"`
	looked      bool     // it has been looked up

	instructions, taken, missed uint64
}

// New builds a constant cache of loads.
func New(name string, d *wire.Domain, s Spec, r *stats.Registry) (*Cache, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	c := &Cache{line: uint64(s.Line)}
	c.Setup(name, d, c, s.Latency, s.Queue, c.count)
	c.Holds(cause.Cache)
	r.Count("mem.constant.instructions", stats.Instructions, "warp loads of constant space", name, &c.instructions)
	r.Count("mem.constant.passes", stats.Cycles, "cycles in which the constant cache served a word", name, &c.taken)
	if s.Lines == 0 {
		return c, nil
	}
	c.Missing.Init(&c.Comp, "Missing")
	c.Arrived.Init(&c.Comp, "Arrived", 2).SetBehind()
	r.Count("mem.constant.misses", stats.Accesses, "lines that the constant cache of loads asked for", name, &c.missed)
	tags, err := Tags(s.Lines, s.Ways, s.Line)
	if err != nil {
		return nil, err
	}
	c.tags, err = tagarray.New(tags)
	return c, err
}

// Launch forgets the constants.
func (c *Cache) Launch() {
	if c.tags != nil {
		c.tags.Reset()
	}
}

// Tick looks up the lines of the next instruction, and serves it once they are all there.
func (c *Cache) Tick(now wire.Cycle) bool {
	if c.tags != nil {
		for l := c.Arrived.Take(); l != nil; l = c.Arrived.Take() {
			c.fill(l.Addr)
		}
		if again, ready := c.lookUp(); !ready {
			return again
		}
	}
	return c.Server.Tick(now)
}

// lookUp looks up the instruction at the head, and asks for its missing lines, one per cycle. ready: all of its lines
// have been there, or there is no instruction. again: another line is to be asked for.
func (c *Cache) lookUp() (again, ready bool) {
	p := c.In.Head()
	if p == nil {
		return false, true
	}
	if !c.looked {
		c.looked = true
		c.miss(p)
	}
	if len(c.todo) == 0 {
		return false, len(c.asked) == 0
	}
	if !c.Missing.CanPut() {
		return false, false
	}
	last := len(c.todo) - 1
	c.Missing.Put(Line{c.todo[last]})
	c.asked, c.todo = append(c.asked, c.todo[last]), c.todo[:last]
	c.missed++
	return last > 0, false
}

// miss lists the missing lines of an instruction.
func (c *Cache) miss(p *req.Part) {
	var room [32]uint64
	bank := uint64(0) // of parameters
	if p.Space == ir.Const {
		bank = Bank
	}
	for _, w := range words(p, room[:0]) {
		a := (bank + w) &^ (c.line - 1)
		if e := c.tags.Find(a); e >= 0 {
			c.tags.Touch(e)
		} else if !slices.Contains(c.todo, a) {
			c.todo = append(c.todo, a)
		}
	}
}

// fill takes a line that has arrived.
func (c *Cache) fill(addr uint64) {
	i := slices.Index(c.asked, addr)
	if i < 0 {
		panic("constant: a line arrives that nobody asked for")
	}
	c.asked = slices.Delete(c.asked, i, i+1)
	e := c.tags.Victim(addr)
	c.tags.Replace(e, addr, 0)
	c.tags.Fill(e, 1)
}

// count returns and counts the passes of an instruction.
func (c *Cache) count(p *req.Part) int {
	n := distinct(p)
	c.looked = false
	c.instructions++
	c.taken += uint64(n)
	return n
}

// distinct counts the different addresses of a part.
func distinct(p *req.Part) int {
	if p.Acc.Regular() {
		if p.Acc.Stride == 0 {
			return 1
		}
		return bits.OnesCount32(p.Mask)
	}
	var room [32]uint64
	return len(words(p, room[:0]))
}

// words appends the different addresses of a part.
func words(p *req.Part, out []uint64) []uint64 {
	var addr [32]uint64
	p.Acc.Lanes(p.Exec, &addr)
	for m := p.Mask; m != 0; m &= m - 1 {
		if a := addr[bits.TrailingZeros32(m)]; !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}
