package crossbar

import (
	"cmp"
	"fmt"
	"math/bits"

	"kumiko/components/bank"
	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/wire"
)

// Paths are the settings of the paths of an operand network. A register file has them among its own settings, so that
// its files are decoded into them.
type Paths struct {
	Width       int `toml:"crossbar_width" unit:"registers per cycle" range:"0 to 256" doc:"registers that a sub-core's crossbar carries at once. 0: as many as inputs and outputs allow, as a butterfly requires"`
	OutputWidth int `toml:"crossbar_output" unit:"registers per cycle" default:"1" range:"1 to 16" doc:"registers that one collector receives at once"`
	Cycles      int `toml:"crossbar_cycles" unit:"cycles" default:"1" range:"1 to 64" doc:"cycles that one register takes to cross: 1 for a full-width path, 4 for a path a quarter as wide"`
	Latency     int `toml:"crossbar_latency" unit:"cycles" default:"1" range:"1 to 64" doc:"from a bank's output to the collector, for a full-width path. In a butterfly the hops come on top"`
}

// Spec configures a crossbar.
type Spec struct {
	Paths
	Inputs     int
	Outputs    int
	InputWidth int  // values in transfer at once from one input
	InputRoom  int  // capacity of an input in values, including those on the link
	Bundled    bool // all outputs share one port, except the last Apart ones
	Apart      int  // with Bundled: number of outputs with ports of their own
	// Prefix begins the names of the statistics; empty: "regfile.crossbar". Of names the crossbars in their
	// descriptions; empty: "operand crossbars".
	Prefix, Of string
}

// Check refuses impossible settings of a crossbar.
func (s *Spec) Check() error {
	return cmp.Or(spec.Ranges(&s.Paths), spec.InRange("inputs", s.Inputs, 1, 256),
		spec.InRange("outputs", s.Outputs, 1, 256), spec.InRange("crossbar_input", s.InputWidth, 1, 16),
		spec.InRange("input room", s.InputRoom, 1, 1024), spec.InRange("outputs apart", s.Apart, 0, s.Outputs-1))
}

// Crossbar is an operand crossbar.
type Crossbar struct {
	wire.Comp
	In  []wire.InPort[bank.Value]
	Out []wire.OutPort[bank.Value]

	width      int // values per cycle
	inputWidth int // values per input and cycle
	latency    int
	bundle     int     // number of outputs sharing Out[0]
	single     bool    // at most 64 inputs and outputs; an output receives one value per cycle, in one cycle
	first      int     // next input in turn
	outs       []lanes `part:"Out"`
	fabric     *fabric // nil unless some outputs may be taken, or full, for longer than others

	transfers uint64
	conflicts uint64
}

// lanes are the parallel paths of an input, of an output, or of the whole crossbar.
type lanes struct {
	limit int
	used  int          // taken since cycle at, for crossbars of one cycle per register
	at    wire.Cycle   // the cycle of used
	until []wire.Cycle `bits:"8"`
}

func newLanes(limit, cycles int) lanes {
	l := lanes{limit: limit}
	if cycles > 1 {
		l.until = make([]wire.Cycle, limit)
	}
	return l
}

// free reports whether a path is free at now.
func (l *lanes) free(now wire.Cycle) bool {
	if l.until == nil {
		return l.at != now || l.used < l.limit
	}
	for _, u := range l.until {
		if u <= now {
			return true
		}
	}
	return false
}

func (l *lanes) take(now, cycles wire.Cycle) {
	if l.until == nil {
		if l.at != now {
			l.at, l.used = now, 0
		}
		l.used++
		return
	}
	for i, u := range l.until {
		if u <= now {
			l.until[i] = now + cycles
			return
		}
	}
}

// New builds a crossbar.
func New(name string, d *wire.Domain, s Spec, reg *stats.Registry) (*Crossbar, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	ports, bundle := s.Outputs, 1
	if s.Bundled {
		ports, bundle = 1+s.Apart, s.Outputs-s.Apart
	}
	x := &Crossbar{
		In: make([]wire.InPort[bank.Value], s.Inputs), Out: make([]wire.OutPort[bank.Value], ports),
		outs:   make([]lanes, s.Outputs),
		bundle: bundle, width: s.Width, inputWidth: s.InputWidth, latency: s.Latency + s.Cycles - 1,
	}
	if x.width == 0 {
		x.width = s.Inputs * s.InputWidth
	}
	x.single = s.OutputWidth == 1 && s.Cycles == 1 && s.Outputs <= 64 && s.Inputs <= 64
	x.Init(name, d, x)
	for i := range x.In {
		x.In[i].Init(&x.Comp, fmt.Sprintf("In[%d]", i), s.InputRoom)
	}
	for i := range x.Out {
		x.Out[i].Init(&x.Comp, fmt.Sprintf("Out[%d]", i))
	}
	for i := range x.outs {
		x.outs[i] = newLanes(s.OutputWidth, s.Cycles)
	}
	if s.Cycles > 1 || !s.Bundled && len(x.Out) > 1 {
		x.fabric = x.newFabric(&s)
	}
	prefix, of := cmp.Or(s.Prefix, "regfile.crossbar"), cmp.Or(s.Of, "operand crossbars")
	reg.Count(prefix+".transfers", stats.Registers, "register values carried by "+of, name, &x.transfers)
	reg.Count(prefix+".conflicts", stats.Cycles, "conflict cycles of "+of+
		": value-cycles at the head of an input while a path is taken", name, &x.conflicts)
	return x, nil
}

// newFabric builds the fabric between the crossbar's ports.
func (x *Crossbar) newFabric(s *Spec) *fabric {
	f := newFabric(fabricSpec{
		inputs: s.Inputs, outputs: s.Outputs, lines: s.Outputs, width: s.Width, cycles: s.Cycles}, &x.conflicts)
	for i := range x.In {
		f.in[i] = input{port: &x.In[i], path: newLanes(s.InputWidth, s.Cycles), sent: wire.Never}
	}
	for o := range f.out {
		f.out[o] = outlet{port: x.port(o), common: s.Bundled && o < x.bundle, path: &x.outs[o], line: o,
			carried: &x.transfers}
	}
	return f
}

// port returns the port of an output.
func (x *Crossbar) port(output int) *wire.OutPort[bank.Value] {
	if output < x.bundle {
		return &x.Out[0]
	}
	return &x.Out[output-x.bundle+1]
}

// PerCycle returns the most transfers started in one cycle.
func (s *Spec) PerCycle() int {
	n := min(s.Inputs*s.InputWidth, s.Outputs*s.OutputWidth)
	if s.Width > 0 {
		n = min(n, s.Width)
	}
	return n
}

// Connect joins a port of Out to an input port. Values become visible there at the end of their transfer.
func (x *Crossbar) Connect(port int, in *wire.InPort[bank.Value]) {
	wire.Connect(&x.Out[port], in, x.latency)
}

// Latency returns the number of cycles from the start of a transfer until its value is visible.
func (x *Crossbar) Latency() int { return x.latency }

// Tick starts the transfers of unblocked values.
func (x *Crossbar) Tick(now wire.Cycle) bool {
	switch {
	case x.fabric != nil:
		return x.fabric.tick(now)
	case x.single:
		return x.tickSingle()
	}
	t := turn{left: x.width, lost: -1}
	i := x.first
	for n := len(x.In); n > 0; n-- {
		x.serve(i, &t, now)
		if i++; i == len(x.In) {
			i = 0
		}
	}
	return x.end(&t)
}

// tickSingle is Tick for outputs that receive one value per cycle. A set has the inputs with a value.
func (x *Crossbar) tickSingle() bool {
	set := uint64(0)
	for i := range x.In {
		set |= x.In[i].Arrived() << (i & 63)
	}
	t := turn{left: x.width, lost: -1}
	first := uint(x.first) & 63
	for set != 0 {
		m := set >> first << first
		if m == 0 {
			m = set
		}
		i := bits.TrailingZeros64(m)
		set &^= m & -m
		x.serveSingle(i, &t)
	}
	return x.end(&t)
}

// turn is the state of the service of all inputs in a cycle.
type turn struct {
	left  int    // values that may still be sent
	taken uint64 // with single: outputs already receiving a value
	lost  int    // the first input that could send nothing, or -1
	again bool   // a value waits
}

// block records that input i has to wait, after it has sent the given number of values in this cycle.
func (x *Crossbar) block(i, sent int, t *turn) {
	x.conflicts++
	t.again = true
	if t.lost < 0 && sent == 0 {
		t.lost = i
	}
}

// end gives the first turn of the next cycle to the first input that had to wait.
func (x *Crossbar) end(t *turn) (again bool) {
	if t.lost >= 0 {
		x.first = t.lost
	}
	return t.again
}

// serveSingle sends the values of input i, which has one.
func (x *Crossbar) serveSingle(i int, t *turn) {
	in := &x.In[i]
	for sent := 0; ; {
		v := in.Head()
		if v == nil {
			return
		}
		if sent == x.inputWidth || t.left == 0 || t.taken>>(v.To&63)&1 != 0 {
			x.block(i, sent, t)
			return
		}
		out := x.port(int(v.To))
		place := out.Offer()
		if place == nil {
			x.block(i, sent, t)
			return
		}
		*place = *v
		out.PutSlot()
		x.transfers++
		t.taken |= 1 << (v.To & 63)
		sent++
		t.left--
		in.Pop()
	}
}

// serve sends the values of input i.
func (x *Crossbar) serve(i int, t *turn, now wire.Cycle) {
	in := &x.In[i]
	sent := 0
	for v := in.Head(); v != nil; v = in.Head() {
		if sent == x.inputWidth || t.left == 0 || !x.start(v, now) {
			x.block(i, sent, t)
			return
		}
		sent++
		t.left--
		in.Pop()
	}
}

// start begins the transfer of a value if its output has a free path and the port has space.
func (x *Crossbar) start(v *bank.Value, now wire.Cycle) bool {
	if !x.outs[v.To].free(now) {
		return false
	}
	out := x.port(int(v.To))
	place := out.Offer()
	if place == nil {
		return false
	}
	x.outs[v.To].take(now, 1)
	*place = *v
	out.PutSlot()
	x.transfers++
	return true
}

// Waiting reports how many values wait to be carried.
func (x *Crossbar) Waiting() string {
	n := 0
	for i := range x.In {
		n += x.In[i].Len()
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d values wait to be carried", n)
}
