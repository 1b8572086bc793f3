package intervals

import (
	"fmt"
	"slices"
)

// Piece is a run of instructions of one block, [From, To) within it.
type Piece struct{ Block, From, To int }

// Interval is a register-interval.
type Interval struct {
	Pieces    []Piece // the first one is where it is entered
	Registers Set     // the working set
	Preds     []int   // other intervals, ascending
	Succs     []int
}

// Instructions returns the number of instructions of the interval.
func (v *Interval) Instructions() int {
	n := 0
	for _, p := range v.Pieces {
		n += p.To - p.From
	}
	return n
}

// part is a block, or the rest of a cut block.
type part struct {
	Piece
	succs, preds []int
	in           int // interval, or -1
}

// former runs algorithm 1.
type former struct {
	g     *Graph
	limit int
	parts []part
	sets  []Set   // working set of each interval
	order [][]int // parts of each interval, as they were added
}

// Form cuts the graph into register-intervals of at most limit registers (algorithm 1), without merging them.
// Unreachable blocks belong to none.
func Form(g *Graph, limit int) ([]Interval, error) {
	f := &former{g: g, limit: limit}
	for b := range g.Blocks {
		for i, s := range g.Blocks[b].Insts {
			if s.Len() > limit {
				return nil, fmt.Errorf("%s: instruction %d names %d registers, more than an interval may have (%d)",
					g.Name, g.Blocks[b].First+i, s.Len(), limit)
			}
		}
		f.parts = append(f.parts, part{Piece: Piece{b, 0, len(g.Blocks[b].Insts)},
			succs: slices.Clone(g.Blocks[b].Succs), in: -1})
	}
	for p := range f.parts {
		for _, s := range f.parts[p].succs {
			f.parts[s].preds = append(f.parts[s].preds, p)
		}
	}
	if len(f.parts) == 0 {
		return nil, nil
	}
	for work := []int{0}; len(work) > 0; {
		h := work[0]
		work = work[1:]
		if f.parts[h].in < 0 {
			work = f.grow(h, work)
		}
	}
	return f.result(), nil
}

// grow forms the interval of entry part h and adds the headers behind it to the work list.
func (f *former) grow(h int, work []int) []int {
	v := len(f.sets)
	f.sets, f.order = append(f.sets, Set{}), append(f.order, nil)
	f.traverse(h, v)
	for again := true; again; {
		again = false
		for _, p := range f.order[v] {
			for _, s := range f.parts[p].succs {
				if f.parts[s].in < 0 && s != 0 && f.fits(s, v) {
					f.traverse(s, v)
					again = true
				}
			}
		}
	}
	for _, p := range f.order[v] {
		for _, s := range f.parts[p].succs {
			if f.parts[s].in < 0 {
				work = append(work, s)
			}
		}
	}
	return work
}

// fits reports whether part s may join interval v: all its predecessors are in v, and its first instruction does
// not exceed the register limit.
func (f *former) fits(s, v int) bool {
	if f.parts[s].From == 0 && f.g.Blocks[f.parts[s].Block].Header {
		return false
	}
	for _, p := range f.parts[s].preds {
		if f.parts[p].in != v {
			return false
		}
	}
	w := f.sets[v]
	if i := f.insts(s); len(i) > 0 {
		w = w.Or(i[0])
	}
	return w.Len() <= f.limit
}

func (f *former) insts(p int) []Set {
	return f.g.Blocks[f.parts[p].Block].Insts[f.parts[p].From:f.parts[p].To]
}

// traverse adds part p to interval v, up to the first instruction to exceed the register limit. The rest becomes a
// part of its own.
func (f *former) traverse(p, v int) {
	f.parts[p].in = v
	f.order[v] = append(f.order[v], p)
	for i, s := range f.insts(p) {
		w := f.sets[v].Or(s)
		if w.Len() <= f.limit {
			f.sets[v] = w
			continue
		}
		f.cut(p, f.parts[p].From+i)
		return
	}
}

// cut makes a new part of the instructions of part p from index at of its block on.
func (f *former) cut(p, at int) {
	n := len(f.parts)
	old := &f.parts[p]
	rest := part{Piece: Piece{old.Block, at, old.To}, succs: old.succs, preds: []int{p}, in: -1}
	old.To, old.succs = at, []int{n}
	f.parts = append(f.parts, rest)
	for _, s := range rest.succs {
		for i, q := range f.parts[s].preds {
			if q == p {
				f.parts[s].preds[i] = n
			}
		}
	}
}

func (f *former) result() []Interval {
	out := make([]Interval, len(f.sets))
	for v := range out {
		out[v].Registers = f.sets[v]
		for _, p := range f.order[v] {
			out[v].Pieces = append(out[v].Pieces, f.parts[p].Piece)
			for _, s := range f.parts[p].succs {
				if w := f.parts[s].in; w != v {
					out[v].Succs = insert(out[v].Succs, w)
					out[w].Preds = insert(out[w].Preds, v)
				}
			}
		}
	}
	return out
}

// insert adds x to an ascending list, once.
func insert(list []int, x int) []int {
	i, found := slices.BinarySearch(list, x)
	if found {
		return list
	}
	return slices.Insert(list, i, x)
}

// ByPC returns, for each instruction of the program with graph g, the number of its interval in list, and -1 for
// unreachable code. A warp changes interval where the numbers of consecutive instructions of its path differ.
func ByPC(g *Graph, list []Interval) []int {
	out := make([]int, g.Instructions())
	for pc := range out {
		out[pc] = -1
	}
	for i := range list {
		for _, p := range list[i].Pieces {
			for at := p.From; at < p.To; at++ {
				out[g.Blocks[p.Block].First+at] = i
			}
		}
	}
	return out
}
