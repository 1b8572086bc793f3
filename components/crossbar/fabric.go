package crossbar

import (
	"math/bits"

	"kumiko/components/bank"
	"kumiko/components/line"
	"kumiko/components/wire"
)

// fabric carries values from inputs to outlets. Some outlets may be taken, or full, for longer than others. If
// inputs merely took turns, the first input could wait for such an outlet; meanwhile the others, always served in
// the same order, would get unequal shares. So inputs stand in line for each outlet. For shared resources, the
// width of the whole fabric and the space of a common port, inputs take turns.
type fabric struct {
	in     []input  `bits:"type"`
	out    []outlet `part:"Outlet"` // by requester
	lines  *line.Lines
	order  []int16 `bits:"log(in)" room:"in"` // inputs that have sent and are not in line again, in the order of sending
	all    *lanes  // of the whole; nil: no limit
	cycles wire.Cycle
	first  int // next input in turn
	// waiting lists the inputs with a value in this cycle, in the order of service.
	waiting []int16 `bits:"log(in)" room:"in"`

	conflicts *uint64
}

type input struct {
	port *wire.InPort[bank.Value]
	path lanes
	sent wire.Cycle // cycle of its last transfer
}

// outlet is the exit for the values of one requester.
type outlet struct {
	port   *wire.OutPort[bank.Value]
	common bool // the port is shared with other outlets, each with a path of its own
	path   *lanes
	line   int // number of the line of inputs waiting for the path
	// carried counts values; waits, if not nil, conflict cycles.
	carried, waits *uint64
}

// fabricSpec is the shape of a fabric: lines is the number of queues of waiting inputs; width and cycles are as in
// Spec.
type fabricSpec struct{ inputs, outputs, lines, width, cycles int }

// newFabric returns a fabric whose inputs and outlets the caller has yet to set.
func newFabric(s fabricSpec, conflicts *uint64) *fabric {
	f := &fabric{
		in: make([]input, s.inputs), out: make([]outlet, s.outputs), lines: line.New(s.lines, s.inputs),
		cycles: wire.Cycle(s.cycles), waiting: make([]int16, 0, s.inputs), conflicts: conflicts,
	}
	if s.width > 0 {
		all := newLanes(s.width, s.cycles)
		f.all = &all
	}
	return f
}

// tick starts the transfers of unblocked values, and reports whether a value waits.
func (f *fabric) tick(now wire.Cycle) bool {
	f.rejoin(now)
	f.ask()
	lost := -1
	for again := true; again; { // again while an input behind in line may have space
		again, lost = false, -1
		for _, n := range f.waiting {
			i := int(n)
			in := &f.in[i]
			for v := in.port.Head(); v != nil && f.mayPass(i, v, now); v = in.port.Head() {
				o := &f.out[v.To]
				if f.all != nil && !f.all.free(now) || o.common && !o.port.CanPut() {
					f.lines.Stand(o.line, i)
					if lost < 0 && in.sent != now {
						lost = i
					}
					break
				}
				f.pass(i, v, now)
				again = again || o.path.free(now)
			}
		}
	}
	if lost >= 0 {
		f.first = lost
	}
	return f.blocked(now)
}

// ask fills waiting with the inputs that have a value. It asks 64 without a branch, because which of them have one is
// hard to predict.
func (f *fabric) ask() {
	f.waiting = f.waiting[:0]
	f.askFrom(f.first, len(f.in))
	f.askFrom(0, f.first)
}

// askFrom adds inputs from one number up to another to waiting.
func (f *fabric) askFrom(from, to int) {
	for ; from < to; from += 64 {
		set := uint64(0)
		for k := range min(64, to-from) {
			set |= f.in[from+k].port.Arrived() << (k & 63)
		}
		for ; set != 0; set &= set - 1 {
			f.waiting = append(f.waiting, int16(from+bits.TrailingZeros64(set)))
		}
	}
}

// rejoin puts the inputs that have sent back in line for their next value, in the order of sending, once their
// paths are free.
func (f *fabric) rejoin(now wire.Cycle) {
	kept := f.order[:0]
	for _, i := range f.order {
		in := &f.in[i]
		if !in.path.free(now) {
			kept = append(kept, i)
		} else if v := in.port.Head(); v != nil {
			f.lines.Stand(f.out[v.To].line, int(i))
		}
	}
	f.order = kept
}

// mayPass reports whether the paths of input and outlet are free, the outlet's own port has space, and it is the
// input's turn at the outlet.
func (f *fabric) mayPass(i int, v *bank.Value, now wire.Cycle) bool {
	o := &f.out[v.To]
	if !f.in[i].path.free(now) || !f.lines.Turn(o.line, i) {
		return false
	}
	if !o.path.free(now) || !o.common && !o.port.CanPut() {
		f.lines.Stand(o.line, i)
		return false
	}
	return true
}

// pass starts the transfer of the value at the head of an input.
func (f *fabric) pass(i int, v *bank.Value, now wire.Cycle) {
	in, o := &f.in[i], &f.out[v.To]
	in.path.take(now, f.cycles)
	o.path.take(now, f.cycles)
	if f.all != nil {
		f.all.take(now, f.cycles)
	}
	*o.port.Slot() = *v
	o.port.PutSlot()
	*o.carried++
	f.lines.Leave(i)
	if in.sent = now; !in.path.free(now) {
		f.order = append(f.order, int16(i))
	}
	in.port.Pop()
}

// blocked counts the waiting values as conflicts, and reports whether there are any.
func (f *fabric) blocked(now wire.Cycle) (some bool) {
	for _, i := range f.waiting {
		in := &f.in[i]
		v := in.port.Head()
		if v == nil {
			continue
		}
		some = true
		*f.conflicts++
		if w := f.out[v.To].waits; w != nil && in.path.free(now) {
			*w++
		}
	}
	return some
}
