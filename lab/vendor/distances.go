package main

import (
	"cmp"
	"fmt"
	"slices"

	"kumiko/benchmarks"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/cubin"
	"kumiko/kernel/ir"
)

// edge names a kind of dependence: what wrote the register, and what reads it.
type edge struct{ from, to string }

// nearest is the least distance of a kind of dependence, in issue cycles, with its first place.
type nearest struct {
	edge
	least int
	n     int // dependences with that distance
	all   int
	place string
}

// surveyed returns the table of distances.
func surveyed(arch int, names []string) ([][]string, error) {
	list, err := distances(arch, names)
	rows := [][]string{{"result of", "read by", "cycles at least", "so often", "of", "first at"}}
	for _, x := range list {
		rows = append(rows, []string{x.from, x.to, fmt.Sprint(x.least), fmt.Sprint(x.n), fmt.Sprint(x.all), x.place})
	}
	return rows, err
}

// distances returns, for each kind of dependence in the code of the named programs for an architecture, the least
// number of issue cycles from an instruction of fixed latency to a reader of its result, as the control words have it.
// The words keep no reader back otherwise, so a latency is at most that. Dependences over the end of a basic block are
// left out, and so are those on a counter.
func distances(arch int, names []string) (out []nearest, err error) {
	s := &survey{found: map[edge]*nearest{}}
	var seen []*ir.Module
	for _, app := range named(names) {
		p, err := app.New(benchmarks.Test)
		if err != nil {
			return nil, err
		}
		m := p.(interface{ Module() *ir.Module }).Module()
		if slices.Contains(seen, m) {
			continue
		}
		seen = append(seen, m)
		f, err := cubin.Assembled(cubin.Request{Arch: arch, Module: m})
		if err != nil {
			return nil, err
		}
		for _, k := range m.Kernels {
			c, err := f.Kernel(m, k.Name)
			if err != nil {
				return nil, err
			}
			s.kernel(app.Name, c.Kernel)
		}
	}
	for _, e := range s.found {
		out = append(out, *e)
	}
	slices.SortFunc(out, func(a, b nearest) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	return out, nil
}

// survey collects dependences.
type survey struct {
	found map[edge]*nearest
	at    [256]struct {
		from  string // "": no result of fixed latency of this block
		cycle int
	}
}

// kernel adds the dependences of a kernel.
func (s *survey) kernel(program string, k *ir.Kernel) {
	g := cfg.Build(k.Insts)
	for i := range g.Blocks {
		b := &g.Blocks[i]
		for r := range s.at {
			s.at[r].from = ""
		}
		cycle := 0
		for pc := b.Start; pc < b.End; pc++ {
			in := &k.Insts[pc]
			for j, r := range in.T.Src[:in.T.NSrc] {
				if w := &s.at[r]; w.from != "" {
					s.add(edge{w.from, reader(in, j)}, cycle-w.cycle,
						fmt.Sprintf("%s, %s, line %d", program, k.Name, in.Line))
				}
			}
			for j, r := range in.T.Dst[:in.T.NDst] {
				w := &s.at[r]
				if w.from = writer(in, j); in.Control.Write < ir.Counters {
					w.from = ""
				}
				w.cycle = cycle
			}
			cycle += max(int(in.Control.Stall), 1)
		}
	}
}

func (s *survey) add(e edge, d int, place string) {
	x := s.found[e]
	switch {
	case x == nil:
		s.found[e] = &nearest{edge: e, least: d, n: 1, all: 1, place: place}
	case d < x.least:
		x.least, x.n, x.all, x.place = d, 1, x.all+1, place
	default:
		if d == x.least {
			x.n++
		}
		x.all++
	}
}

// writer names result j of an instruction.
func writer(in *ir.Inst, j int) string {
	name := in.T.Class.String()
	if in.T.Wide() {
		return name + []string{", lower word", ", upper word"}[j]
	}
	return name
}

// reader names source j of an instruction.
func reader(in *ir.Inst, j int) string {
	name, last := in.T.Class.String(), len(in.Src)-1
	if !in.T.Wide() {
		return name
	}
	if c := in.Src[last]; c.Kind == ir.KindReg && j >= int(in.T.NSrc)-2 {
		return name + []string{", upper word of the addend", ", lower word of the addend"}[int(in.T.NSrc)-1-j]
	}
	return name + " of two words, factor"
}
