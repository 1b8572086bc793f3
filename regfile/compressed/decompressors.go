package compressed

import (
	"fmt"
	"slices"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/regfile/conventional"
)

// Decompressors is the stage of a sub-core's decompressors, between the operand network and the collectors.
//
// Ports:
//
//	Ends[i]  bank.Value: operands from the network, compressed or not
//	Operand  bank.Value: operands to the collectors
//	Moved    bank.Value: registers read by the compressors
//
// Operands that wait for a decompressor let others pass.
type Decompressors struct {
	wire.Comp
	Ends    []wire.InPort[bank.Value]
	Operand wire.OutPort[bank.Value]
	Moved   wire.OutPort[bank.Value]

	start   int // operands that begin to be decompressed in a cycle
	latency wire.Cycle
	waiting []operand `part:"Operand"` // the oldest first

	decompressed, waits uint64
}

// operand is an operand in the stage.
type operand struct {
	bank.Value
	begun bool
	ready wire.Cycle // the end of the decompression
}

// newDecompressors builds the decompressors of a sub-core.
func newDecompressors(p *conventional.Part, s Spec) *Decompressors {
	x := &Decompressors{start: s.Decompressors * p.Schedulers, latency: wire.Cycle(s.Decompression),
		Ends:    make([]wire.InPort[bank.Value], p.Ends),
		waiting: make([]operand, 0, p.Ends*p.EndRoom*(1+s.Decompression))}
	x.Init(p.Name+".Decompressors", p.Env.Domain, x)
	for i := range x.Ends {
		x.Ends[i].Init(&x.Comp, fmt.Sprintf("Ends[%d]", i), p.EndRoom)
	}
	x.Operand.Init(&x.Comp, "Operand")
	x.Moved.Init(&x.Comp, "Moved")
	p.Env.Stats.Count("regfile.compressed.decompressed", stats.Accesses, "operands decompressed", x.Name(),
		&x.decompressed)
	p.Env.Stats.Count("regfile.compressed.decompressor_waits", stats.Cycles,
		"operand-cycles spent waiting for a decompressor", x.Name(), &x.waits)
	return x
}

// Tick receives operands, and decompresses the compressed ones. It sends on every operand in full form.
func (x *Decompressors) Tick(now wire.Cycle) bool {
	more := false // operands left at the ports
	for i := range x.Ends {
		in := &x.Ends[i]
		for v := in.Head(); v != nil && len(x.waiting) < cap(x.waiting); v = in.Head() {
			x.waiting = append(x.waiting, operand{Value: *v})
			in.Pop()
		}
		more = more || in.Head() != nil
	}
	left := x.start
	for i := 0; i < len(x.waiting); {
		o := &x.waiting[i]
		if o.Slot>>formShift != 0 && !o.begun {
			if left == 0 {
				x.waits++
				i++
				continue
			}
			left--
			o.begun, o.ready = true, now+x.latency-1
			x.decompressed++
		}
		if now < o.ready || !x.send(&o.Value) {
			i++
			continue
		}
		x.waiting = slices.Delete(x.waiting, i, i+1)
	}
	return more || len(x.waiting) > 0
}

// send sends an operand to its collector, or to the compressors. It returns false if the port is full.
func (x *Decompressors) send(v *bank.Value) bool {
	out := &x.Operand
	if v.Slot&toCompressors != 0 {
		out = &x.Moved
	}
	if !out.CanPut() {
		return false
	}
	to := out.Slot()
	*to = *v
	to.Slot &= sourceBits
	out.PutSlot()
	return true
}

// Waiting reports the number of operands in the stage.
func (x *Decompressors) Waiting() string {
	if n := len(x.waiting); n > 0 {
		return fmt.Sprintf("%d operands wait", n)
	}
	return ""
}
