package control

import (
	"fmt"
	"slices"

	"kumiko/kernel/ir"
)

// Hardware has the latencies, in cycles, of the simulated machine. Control words follow them where they differ from
// latency.toml.
type Hardware struct {
	// Latency is the latency of results in the execution unit, by class; 0 if unknown at compile time.
	Latency [ir.NumClasses]int
	Reads
}

// Reads has the times of a register file, in cycles: the additional distance, beyond the latency of a result, to
// the issue of a reader of the result.
type Reads struct {
	Fixed    int // an instruction of fixed latency
	Variable int // an instruction of variable latency
	Guarded  int // an instruction guarded by the result, a predicate
	// An instruction with more than Window x Ports source registers in one of the Banks reads for one or more
	// additional Windows; register r is in bank r modulo Banks. With Window 0, no instruction does.
	Window, Ports, Banks int
	// Doubles: arithmetic of double precision has a fixed latency.
	Doubles bool
}

// extra returns the additional read time of an instruction, in cycles.
func (r *Reads) extra(in *ir.Inst) int {
	if r.Window == 0 || int(in.T.NSrc) <= r.Window*r.Ports {
		return 0
	}
	most := 0
	for b := range r.Banks {
		var seen []ir.RegID
		for _, s := range in.T.Src[:in.T.NSrc] {
			if int(s)%r.Banks == b && !slices.Contains(seen, s) {
				seen = append(seen, s)
			}
		}
		most = max(most, len(seen))
	}
	return max(0, (most-1)/(r.Window*r.Ports)) * r.Window
}

// On returns the machine with the times of hw, or the machine itself for a zero hw.
func (m *Machine) On(hw *Hardware) *Machine {
	if *hw == (Hardware{}) {
		return m
	}
	out := *m
	out.reads = hw.Reads
	for c, g := range m.byClass {
		if g.fixed {
			out.byClass[c] = g.withTimes(hw, ir.Class(c), &m.uniform)
		}
	}
	return &out
}

// withTimes returns a copy of the group with the times of hw, for one of its classes.
func (g *group) withTimes(hw *Hardware, c ir.Class, uniform *distances) *group {
	out := *g
	latency := hw.Latency[c]
	if latency == 0 {
		out.fixed, out.reuse, out.result, out.predict, out.uniform = false, false, distances{}, distances{}, distances{}
		return &out
	}
	shift := latency + hw.Fixed - g.result.least()
	out.result = g.result.moved(shift, latency, &hw.Reads)
	out.predict = g.predict.moved(shift, latency, &hw.Reads)
	out.uniform = uniform.moved(0, latency, &hw.Reads)
	return &out
}

// moved returns the distances increased by shift, and no less than a result of the given latency needs.
func (d *distances) moved(shift, latency int, r *Reads) distances {
	out := distances{}
	for k := range d.to {
		least := latency + r.Fixed
		switch k {
		case byDouble, byMemory, byVariable:
			if k != byDouble || !r.Doubles {
				least = latency + r.Variable
			}
		case byGuard:
			least = latency + r.Guarded
		}
		out.to[k] = max(d.to[k]+shift, least, 1)
		if k < numReaders || d.to[k] > 0 {
			out.worst = max(out.worst, out.to[k])
		}
	}
	return out
}

// Late returns an error if the result of an instruction on hw comes later than its control word, made elsewhere,
// assumes.
func (m *Machine) Late(hw *Hardware, in *ir.Inst) error {
	g := m.groupOf(in)
	if !g.fixed || !in.T.Result() || m.byClass[in.T.Class] != g {
		return nil
	}
	latency := hw.Latency[in.T.Class]
	switch {
	case latency == 0:
		return fmt.Errorf("found results of class %s that take no fixed time, expected %d cycles in an execution unit "+
			"of each scheduler: the control words of %s count on that", in.T.Class, g.result.least()-hw.Fixed, m.Name)
	case latency+hw.Fixed > g.result.least():
		return fmt.Errorf("found a latency of %d cycles of class %s, expected at most %d: the control words of %s "+
			"count on that", latency, in.T.Class, g.result.least()-hw.Fixed, m.Name)
	}
	return nil
}
