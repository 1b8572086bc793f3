package shrf

import (
	"kumiko/kernel/compiler/intervals"
	"kumiko/regfile"
)

// Plan is the information about a kernel needed by the upper level.
type Plan struct {
	Strands []Strand        // by group of operations
	LiveAt  []intervals.Set // by PC: registers needed by some lane of a warp
}

// Strand describes the registers kept by the upper level in a strand.
type Strand struct {
	Entry   [256]uint16   // by register: the number of its entry plus one; 0: none
	Through intervals.Set // registers with results written to the main file too
	Live    intervals.Set // registers needed by some lane when the warp enters the strand
}

// keep assigns an entry to a register.
func (s *Strand) keep(register, entry int) { s.Entry[register] = uint16(entry) + 1 }

// Admit leaves residency to the GPU's rules. It returns the beginnings of strands and the registers kept in each.
func (s *Spec) Admit(l *regfile.Launch) (regfile.Admission, error) {
	a, err := l.ByRules()
	a.Plan = &Plan{}
	if err != nil || l.Tables == nil {
		return a, err
	}
	t, err := l.Tables.Strands(registers)
	if err != nil {
		return a, err
	}
	a.Insert = &regfile.Insertions{Group: t.ByPC, Ops: make([]regfile.Inserted, len(t.Sets))}
	for i := range a.Insert.Ops {
		a.Insert.Ops[i].Drained = true
	}
	p := &Plan{Strands: make([]Strand, len(t.Sets)), LiveAt: l.Tables.Live()}
	for i, list := range t.Place(s.Entries) {
		for e, r := range list {
			p.Strands[i].keep(r.Register, e)
			if r.LiveOut {
				p.Strands[i].Through.Add(r.Register)
			}
		}
	}
	for v, live := range l.Tables.LiveIn(&t.Regions) {
		p.Strands[v].Live = live
	}
	a.Plan = p
	a.Figures = []regfile.Figure{{Name: "strands", Doc: "strands of the program", Value: len(t.Sets)}}
	return a, nil
}

// merge joins the strands of several kernels in one program, whose groups follow one another.
func merge(_ *Spec, parts []regfile.Part) (regfile.Merged, error) {
	out := &Plan{}
	for i := range parts {
		p := parts[i].Plan.(*Plan)
		out.Strands, out.LiveAt = append(out.Strands, p.Strands...), append(out.LiveAt, p.LiveAt...)
	}
	return regfile.Merged{Plan: out}, nil
}

// registers is the number of register numbers.
const registers = 256
