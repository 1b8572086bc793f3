// Package tables has the tables of a compiled kernel used by register files, by PC: register-intervals, strands,
// the regions where RegMutex's warps need their extended set, and the registers live for the whole warp. Each table
// is computed once, at its first use.
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

// None is the region of an unreachable instruction.
const None = -1

// Regions are the parts of a kernel, each with a set of registers.
type Regions struct {
	ByPC []int32 // the region of each instruction, or None
	// Sets has, by region, the registers named by its instructions.
	Sets []intervals.Set
	// Entry is the PC of each region's first instruction.
	Entry []int
}

// Tables has the tables of one allocated kernel with Timing set. Several goroutines may use it. The returned tables
// must not be changed.
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

// Strands has the strands of a kernel, and the registers kept by a software-managed upper level of the register
// file in each.
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

// Kernel returns the kernel of the tables.
func (t *Tables) Kernel() *ir.Kernel { return t.k }

// Intervals returns the register-intervals of at most limit registers (LTRF: Sadrosadati et al., ASPLOS 2018,
// algorithms 1 and 2). The error names an instruction with more than limit registers.
func (t *Tables) Intervals(limit int) (*Regions, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r, ok := t.intervals[limit]
	if !ok {
		g := intervals.Of(t.k)
		list, err := intervals.Build(g, limit)
		if r.err = t.addPlace(limit, err); r.err == nil {
			regions := regionsOf(g, list)
			r.value = &regions
		}
		t.intervals[limit] = r
	}
	return r.value, r.err
}

// Strands returns the strands of at most limit registers (Gebhart et al., MICRO 2011, section 4.1). The error is as
// for Intervals.
func (t *Tables) Strands(limit int) (*Strands, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r, ok := t.strands[limit]
	if !ok {
		graph, list, err := intervals.Strands(t.k, limit)
		if r.err = t.addPlace(limit, err); r.err == nil {
			r.value = &Strands{Regions: regionsOf(graph, list), graph: graph, list: list, k: t.k}
		}
		t.strands[limit] = r
	}
	return r.value, r.err
}

// RegMutex returns the plan of a kernel with a base set of base registers.
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

// addPlace returns err with the place of an instruction that has more than limit registers.
func (t *Tables) addPlace(limit int, err error) error {
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

// Place chooses the registers, at most entries, kept in each strand by an upper level (intervals.Select).
func (s *Strands) Place(entries int) [][]intervals.Placed {
	return intervals.Select(s.k, s.graph, s.list, entries)
}

// Live returns, by PC, the registers needed by some lane of a warp about to execute the instruction: by lanes on
// its path and by lanes waiting elsewhere.
func (t *Tables) Live() []intervals.Set {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.live == nil {
		t.live = registersOf(t.k, marks.Live(t.k))
	}
	return t.live
}

// LiveIn returns, by region, the registers needed by some lane of a warp entering the region. A warp enters at the
// region's first instruction, or where waiting lanes resume once the path of the other lanes has ended. Lanes resume
// at the beginning of a block, behind an instruction across lanes in which they have waited for others, or at a CTA
// barrier that diverged lanes have reached separately: the warp executes it for the lanes that are there, and the
// others go on behind it.
func (t *Tables) LiveIn(r *Regions) []intervals.Set {
	live := t.Live()
	out := make([]intervals.Set, len(r.Sets))
	add := func(pc int) {
		if pc < len(r.ByPC) && r.ByPC[pc] != None {
			out[r.ByPC[pc]] = out[r.ByPC[pc]].Or(live[pc])
		}
	}
	for _, pc := range r.Entry {
		add(pc)
	}
	g := cfg.Build(t.k.Insts)
	for _, b := range g.Blocks {
		add(b.Start)
	}
	apart := marks.Apart(t.k, g)
	for pc := range t.k.Insts {
		switch in := &t.k.Insts[pc]; {
		case in.Membermask() != nil:
			add(pc + 1)
		case in.Op == ir.OpBar && apart[g.BlockOf[pc]]:
			add(pc)
			add(pc + 1)
		}
	}
	return out
}

// PathLive returns, by PC, the registers still read by lanes at the instruction. Registers needed only by lanes
// waiting elsewhere are left out.
func (t *Tables) PathLive() []intervals.Set {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.path == nil {
		t.path = registersOf(t.k, liveness.Analyze(t.k, cfg.Build(t.k.Insts)).Vectors())
	}
	return t.path
}

// registersOf returns, by PC, the registers in sets of registers and predicates.
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
