package ltrf

import (
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/compiler/tables"
	"kumiko/regfile"
)

// Sizes in bytes of a prefetch in the code: a vector of 256 bits, without and with an instruction to carry it
// (section 3.3).
const (
	vectorBytes      = 32
	instructionBytes = 40
)

// Plan tells the control blocks what a kernel's prefetches load. A group of operations has the instructions of one
// interval or strand.
type Plan struct {
	Sets []intervals.Set // by group: the registers that its instructions name
	// Live holds, by group, the registers live wherever a warp may enter it. LiveAt holds, by PC, the registers live
	// before each instruction. Both are empty unless liveness = vector.
	Live   []intervals.Set
	LiveAt []intervals.Set
}

// liveBefore returns the registers live before the next instruction of a suspended warp. If that instruction has
// not been fetched, it returns all registers.
func (p *Plan) liveBefore(m *regfile.WarpNotice) intervals.Set {
	switch m.Inst {
	case nil:
		return intervals.Set{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	case regfile.InsertedInst():
		return p.Live[int(m.PC)-len(p.LiveAt)]
	}
	return p.LiveAt[m.PC]
}

// Admit leaves residency to the GPU's rules. It returns the positions of the prefetches in the program.
func (s *Spec) Admit(l *regfile.Launch) (regfile.Admission, error) {
	a, err := l.ByRules()
	a.Plan = &Plan{}
	if err != nil || l.Tables == nil {
		return a, err
	}
	r, err := s.regionsOf(l.Tables)
	if err != nil {
		return a, err
	}
	bytes := vectorBytes
	if s.Encoding == Instruction {
		bytes = instructionBytes
	}
	a.Insert = &regfile.Insertions{Group: r.ByPC, Ops: make([]regfile.Inserted, len(r.Sets))}
	for i := range a.Insert.Ops {
		a.Insert.Ops[i] = regfile.Inserted{Bytes: bytes, Slot: s.Encoding == Instruction, Drained: true}
	}
	p := &Plan{Sets: r.Sets}
	if s.Liveness == Vector {
		p.LiveAt = l.Tables.Live()
		p.Live = l.Tables.LiveIn(r)
	}
	a.Plan = p
	a.Figures = []regfile.Figure{
		{Name: "prefetches", Doc: "prefetches in the program", Value: len(r.Sets)},
		{Name: "prefetch_bytes", Doc: "bytes of code that prefetches take", Value: bytes * len(r.Sets)},
	}
	return a, nil
}

// merge joins the plans of kernels that are linked into one program: the prefetches of a kernel follow those of the
// kernel before it, as its instructions do.
func merge(_ *Spec, parts []regfile.Part) (regfile.Merged, error) {
	out := &Plan{}
	for i := range parts {
		p := parts[i].Plan.(*Plan)
		out.Sets = append(out.Sets, p.Sets...)
		out.Live, out.LiveAt = append(out.Live, p.Live...), append(out.LiveAt, p.LiveAt...)
	}
	return regfile.Merged{Plan: out}, nil
}

func (s *Spec) regionsOf(t *tables.Tables) (*tables.Regions, error) {
	if s.Regions == Intervals {
		return t.Intervals(s.Interval)
	}
	x, err := t.Strands(s.Interval)
	if err != nil {
		return nil, err
	}
	return &x.Regions, nil
}
