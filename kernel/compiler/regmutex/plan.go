package regmutex

import (
	"fmt"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/marks"
	"kumiko/kernel/ir"
)

// Plan has the places where a warp needs the shared set.
type Plan struct {
	Base   int // registers R0 to R(Base-1) are a warp's own
	Shared int // and so many more are in the shared set
	// Needs[pc] is true if a warp may execute pc only while it holds a section of the shared pool. At a PC with
	// Needs false, a warp first releases its section.
	Needs []bool
	// Acquire has the PCs before which a warp may have to acquire a section, Release the PCs before which it may
	// release one. They are the entries and exits of regions, in ascending order.
	Acquire, Release []int
	// Barriers are CTA barriers at which a warp waits with a section held. The warps it waits for may be waiting
	// for a section.
	Barriers []int
}

// New makes the plan of an allocated kernel with Timing set. base is from 1 to the kernel's registers.
//
// An instruction needs the shared set if it names one of its registers, or if one of them is live before the
// instruction for some lane of the warp. A warp holds its section for all its lanes, and a waiting path may have left a
// value in it. So if any instruction between a divergent branch and its reconvergence point needs the shared set, all
// of them do.
func New(k *ir.Kernel, base int) (*Plan, error) {
	if base < 1 || base > k.NumRegs {
		return nil, fmt.Errorf("%s: a base set of %d registers, expected 1 to %d", k.Name, base, k.NumRegs)
	}
	g := cfg.Build(k.Insts)
	p := &Plan{Base: base, Shared: k.NumRegs - base, Needs: make([]bool, len(k.Insts))}
	for pc, live := range marks.Live(k) {
		p.Needs[pc] = names(&k.Insts[pc].T, base)
		for r := base; r < k.NumRegs && !p.Needs[pc]; r++ {
			p.Needs[pc] = live.Has(r)
		}
	}
	p.spread(k, g)
	p.points(k, g)
	return p, nil
}

func names(t *ir.Timing, base int) bool {
	for _, r := range t.Src[:t.NSrc] {
		if int(r) >= base {
			return true
		}
	}
	for _, r := range t.Dst[:t.NDst] {
		if int(r) >= base {
			return true
		}
	}
	return false
}

// spread extends the regions over code in which the warp may be diverged.
func (p *Plan) spread(k *ir.Kernel, g *cfg.Graph) {
	varying := marks.Branches(k)
	var apart [][]int // blocks between each branch and where its lanes meet
	n := 0
	parted := g.Parted(k)
	for b := range g.Blocks {
		last := &k.Insts[g.Blocks[b].End-1]
		if last.Op != ir.OpBra && last.Op != ir.OpBrx {
			continue
		}
		if n++; varying[n-1] {
			apart = append(apart, parted(b))
		}
	}
	for changed := true; changed; {
		changed = false
		for _, blocks := range apart {
			if p.some(g, blocks) && p.all(g, blocks) {
				changed = true
			}
		}
	}
}

func (p *Plan) some(g *cfg.Graph, blocks []int) bool {
	for _, b := range blocks {
		for pc := g.Blocks[b].Start; pc < g.Blocks[b].End; pc++ {
			if p.Needs[pc] {
				return true
			}
		}
	}
	return false
}

// all puts the blocks into the region and reports whether any instruction was new.
func (p *Plan) all(g *cfg.Graph, blocks []int) bool {
	changed := false
	for _, b := range blocks {
		for pc := g.Blocks[b].Start; pc < g.Blocks[b].End; pc++ {
			changed = changed || !p.Needs[pc]
			p.Needs[pc] = true
		}
	}
	return changed
}

// points finds the entries and exits of regions.
func (p *Plan) points(k *ir.Kernel, g *cfg.Graph) {
	for b := range g.Blocks {
		for pc := g.Blocks[b].Start; pc < g.Blocks[b].End; pc++ {
			inside, outside := false, pc == 0 // a warp begins without a section
			if pc > g.Blocks[b].Start {
				inside, outside = p.Needs[pc-1], !p.Needs[pc-1]
			} else {
				for _, q := range g.Blocks[b].Preds {
					from := p.Needs[g.Blocks[q].End-1]
					inside, outside = inside || from, outside || !from
				}
			}
			switch {
			case p.Needs[pc] && outside:
				p.Acquire = append(p.Acquire, pc)
			case !p.Needs[pc] && inside:
				p.Release = append(p.Release, pc)
			}
			if op := k.Insts[pc].Op; p.Needs[pc] && (op == ir.OpBar || op == ir.OpMbarWait) {
				p.Barriers = append(p.Barriers, pc)
			}
		}
	}
}

// Held returns the number of instructions with the shared set needed.
func (p *Plan) Held() int {
	n := 0
	for _, x := range p.Needs {
		if x {
			n++
		}
	}
	return n
}
