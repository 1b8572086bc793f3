// Package tables has what register files want to know of a compiled kernel by PC:
// register-intervals, strands, where RegMutex's warps need their extended set, and the
// registers that are live for the whole warp.
// Each table is worked out when it is first asked for, and once.
package tables

import (
	"fmt"
	"sync"

	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/compiler/marks"
	"kumiko/kernel/compiler/regmutex"
	"kumiko/kernel/ir"
)

// None is the region of an instruction that cannot be reached.
const None = -1

// Regions cut a kernel into parts, each with a set of registers.
type Regions struct {
	ByPC []int32 // the region of each instruction, or None
	// Sets has, by region, the registers that its instructions name.
	Sets []intervals.Set
	// Entry is the PC of each region's first instruction.
	Entry []int
}

// Tables are those of one allocated kernel whose Timing is set. They may be asked by
// several goroutines; what they give is not to be changed.
type Tables struct {
	k *ir.Kernel

	mu        sync.Mutex
	intervals map[int]result[*Regions]
	strands   map[int]result[*Strands]
	regmutex  map[int]result[*regmutex.Plan]
	live      []intervals.Set
	path      []intervals.Set
}

type result[T any] struct {
	value T
	err   error
}

// Strands are the strands of a kernel, and what a software-managed upper level of the
// register file keeps in each.
type Strands struct {
	Regions
	graph *intervals.Graph
	list  []intervals.Interval
	k     *ir.Kernel
}

// New makes the tables of a kernel.
func New(k *ir.Kernel) *Tables {
	return &Tables{k: k, intervals: map[int]result[*Regions]{}, strands: map[int]result[*Strands]{},
		regmutex: map[int]result[*regmutex.Plan]{}}
}

// Kernel is the kernel of the tables.
func (t *Tables) Kernel() *ir.Kernel { return t.k }

// Intervals are the register-intervals of at most limit registers (LTRF: Sadrosadati
// et al., ASPLOS 2018, algorithms 1 and 2). The error names an instruction with more
// registers than that.
func (t *Tables) Intervals(limit int) (*Regions, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r, ok := t.intervals[limit]
	if !ok {
		g := intervals.Of(t.k)
		list, err := intervals.Build(g, limit)
		if r.err = t.within(limit, err); r.err == nil {
			regions := regionsOf(g, list)
			r.value = &regions
		}
		t.intervals[limit] = r
	}
	return r.value, r.err
}

// Strands are the strands of at most limit registers (Gebhart et al., MICRO 2011,
// section 4.1). The error is as that of Intervals.
func (t *Tables) Strands(limit int) (*Strands, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r, ok := t.strands[limit]
	if !ok {
		graph, list, err := intervals.Strands(t.k, limit)
		if r.err = t.within(limit, err); r.err == nil {
			r.value = &Strands{Regions: regionsOf(graph, list), graph: graph, list: list, k: t.k}
		}
		t.strands[limit] = r
	}
	return r.value, r.err
}

// RegMutex says where warps need more than so many registers.
func (t *Tables) RegMutex(base int) (*regmutex.Plan, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r, ok := t.regmutex[base]
	if !ok {
		r.value, r.err = regmutex.New(t.k, base)
		t.regmutex[base] = r
	}
	return r.value, r.err
}

// within gives err, of a region of at most limit registers, the place of the
// instruction that names more.
func (t *Tables) within(limit int, err error) error {
	if err == nil {
		return nil
	}
	for i := range t.k.Insts {
		in := &t.k.Insts[i]
		var named intervals.Set
		for _, r := range in.T.Src[:in.T.NSrc] {
			named.Add(int(r))
		}
		for _, r := range in.T.Dst[:in.T.NDst] {
			named.Add(int(r))
		}
		if n := named.Len(); n > limit {
			return fmt.Errorf("%s:%d:%d: found an instruction (%s) that names %d registers, expected at most the %d "+
				"of a region", t.k.File, in.Line, in.Col, in.Op, n, limit)
		}
	}
	return err
}

// Place chooses the registers, at most entries, that an upper level keeps in each
// strand (intervals.Select).
func (s *Strands) Place(entries int) [][]intervals.Placed {
	return intervals.Select(s.k, s.graph, s.list, entries)
}

// Live has, by PC, the registers that some lane of a warp needs when the warp is about
// to execute the instruction: lanes on its path and those that wait elsewhere.
func (t *Tables) Live() []intervals.Set {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.live == nil {
		t.live = registersOf(t.k, marks.Live(t.k))
	}
	return t.live
}

// PathLive returns, by PC, the registers that lanes at the instruction still read. Registers needed
// only by lanes waiting elsewhere are left out.
func (t *Tables) PathLive() []intervals.Set {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.path == nil {
		t.path = registersOf(t.k, liveness.Analyze(t.k, cfg.Build(t.k.Insts)).Vectors())
	}
	return t.path
}

// registersOf are the registers of sets of registers and predicates, by PC.
func registersOf(k *ir.Kernel, sets []bitset.Set) []intervals.Set {
	out := make([]intervals.Set, len(k.Insts))
	for pc, live := range sets {
		live.Each(func(i int) {
			if i < k.NumRegs {
				out[pc].Add(i)
			}
		})
	}
	return out
}

func regionsOf(g *intervals.Graph, list []intervals.Interval) Regions {
	var r Regions
	for _, i := range intervals.ByPC(g, list) {
		r.ByPC = append(r.ByPC, int32(i))
	}
	for i := range list {
		first := list[i].Pieces[0]
		r.Sets = append(r.Sets, list[i].Registers)
		r.Entry = append(r.Entry, g.Blocks[first.Block].First+first.From)
	}
	return r
}
