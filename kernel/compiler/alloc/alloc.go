package alloc

import (
	"fmt"
	"math"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
)

// MaxRegisters is the number of registers available to a thread: R0 to R254.
const MaxRegisters = 255

// MaxPredicates is the size of the predicate file.
const MaxPredicates = 16

// MinRegisters is the smallest register limit at which every program compiles. An instruction reads at most three
// pairs and an address, and may keep the old value of its destination pair; and aligned pairs and quads leave gaps.
// With a lower limit a program is tried, and refused if it does not fit.
const MinRegisters = 16

const leastRegisters = 4

// MinPredicates is the size of the smallest predicate file for which every program compiles: an instruction has at
// most a guard, a source and two results.
const MinPredicates = 4

// Policy is the order of choice among free registers.
type Policy uint8

// Bank policies.
const (
	FirstFree     Policy = iota // the lowest
	Rotate                      // round robin, to use banks evenly
	LeastConflict               // the one with the fewest bank conflicts with operands read together with it
	// a never used register, up to the limit: approximates virtual registers
	Apart
)

var policyNames = []string{"first-free", "rotate", "least-conflict", "apart"}

// String returns the policy's name in configurations.
func (p Policy) String() string { return policyNames[p] }

// ParsePolicy reads a policy's name.
func ParsePolicy(s string) (Policy, error) {
	for i, n := range policyNames {
		if n == s {
			return Policy(i), nil
		}
	}
	return 0, fmt.Errorf("bank policy %q: expected first-free, rotate, least-conflict or apart", s)
}

// Options of an allocation.
type Options struct {
	Limit      int // available registers per thread; 0: MaxRegisters
	Predicates int // 0: MaxPredicates
	Policy     Policy
	Banks      int  // for LeastConflict: register r is in bank r mod Banks; 0: 4
	NoCoalesce bool // leave copies alone
}

// Result has the figures of an allocation.
type Result struct {
	Used         int // registers: the highest named, plus one
	Predicates   int
	MaxLive      int // registers live at once, before allocation
	SpilledBytes int // local memory per thread
	Rounds       int // of spilling
}

// Run allocates the registers of k in place.
func Run(k *ir.Kernel, opt Options) (Result, error) {
	if opt.Limit == 0 {
		opt.Limit = MaxRegisters
	}
	if opt.Predicates == 0 {
		opt.Predicates = MaxPredicates
	}
	if opt.Banks == 0 {
		opt.Banks = 4
	}
	if opt.Limit < leastRegisters || opt.Limit > MaxRegisters {
		return Result{}, fmt.Errorf("%s: %d registers per thread: expected %d to %d", k.Name, opt.Limit, leastRegisters,
			MaxRegisters)
	}
	if opt.Predicates < MinPredicates || opt.Predicates > MaxPredicates {
		return Result{}, fmt.Errorf("%s: %d predicates: expected %d to %d", k.Name, opt.Predicates, MinPredicates,
			MaxPredicates)
	}
	var res Result
	res.MaxLive, _ = liveness.Analyze(k, cfg.Build(k.Insts)).MaxLive()
	alignVectors(k, true, func(int) {})
	if err := predicates(k, opt, &res); err != nil {
		return res, err
	}
	if err := registers(k, opt, &res); err != nil {
		return res, err
	}
	removeSelfCopies(k)
	k.Allocated = true
	return res, nil
}

// problem is one round's view of the program.
type problem struct {
	w      *web
	points int
	depth  func(pc int) int
}

func analyze(k *ir.Kernel, kind ir.Kind, opt Options, pinned []bool) *problem {
	g := cfg.Build(k.Insts)
	l := liveness.Analyze(k, g)
	live := ranges(l)
	depths := g.Depth()
	p := &problem{points: 2*len(k.Insts) + 2, depth: func(pc int) int { return depths[g.BlockOf[pc]] }}
	groups, bounds := groupPreds(k.NumPreds), []bound(nil)
	if kind == ir.KindReg {
		groups, live = groupRegs(k), live[:l.Regs]
		bounds = boundsOf(k, g)
	} else {
		live = live[l.Regs:]
	}
	p.w = newWeb(groups, live)
	p.w.bounds = bounds
	p.w.weigh(k, kind, p.depth)
	for r, pin := range pinned {
		if n := p.w.places[r].n; pin && n != nil {
			n.pinned = true
		}
	}
	if !opt.NoCoalesce {
		p.w.coalesce(copies(k, p.depth, kind))
	}
	return p
}

// weigh sets the spill cost of every node, and marks the nodes cheap to recompute.
func (w *web) weigh(k *ir.Kernel, kind ir.Kind, depth func(pc int) int) {
	defs := map[*node]int{}
	for pc := range k.Insts {
		in := &k.Insts[pc]
		weight := math.Pow(10, float64(min(depth(pc), 6)))
		touch := func(o *ir.Operand) *node {
			if o.Kind != kind {
				return nil
			}
			n := w.places[o.Reg].n
			if n != nil {
				n.cost += weight
			}
			return n
		}
		code.Uses(in, func(o *ir.Operand) { touch(o) })
		code.Defs(in, func(o *ir.Operand) {
			if n := touch(o); n != nil {
				defs[n]++
				n.remat = n.words == 1 && defs[n] == 1 && constant(in)
			}
		})
	}
}

// constant reports whether in is a move with the same value at every execution by a lane.
func constant(in *ir.Inst) bool {
	if in.Op != ir.OpMov || code.Guarded(in) || len(in.Src) != 1 || len(in.Dst) != 1 {
		return false
	}
	switch s := in.Src[0]; s.Kind {
	case ir.KindImm, ir.KindParam, ir.KindConst:
		return true
	case ir.KindSpecial:
		return !code.ReadsClock(in)
	}
	return false
}

func predicates(k *ir.Kernel, opt Options, res *Result) error {
	var pinned []bool
	for round := 0; round < 64; round++ {
		p := analyze(k, ir.KindPred, opt, pinned)
		failed, used := p.w.best(p.points, opt.Predicates, 0, firstFree)
		if len(failed) == 0 {
			res.Predicates = used
			p.w.rename(k, ir.KindPred)
			k.NumPreds = used
			return nil
		}
		spillPreds(k, p.w, p.choose(failed, opt.Predicates, 0), &pinned)
	}
	return fmt.Errorf("%s: its predicates do not fit in %d", k.Name, opt.Predicates)
}

func registers(k *ir.Kernel, opt Options, res *Result) error {
	var pinned []bool
	work, more := 0, 0
	for ; res.Rounds < 100; res.Rounds++ {
		if work += len(k.Insts); work > patience {
			more = max(2*more, 1)
		}
		p := analyze(k, ir.KindReg, opt, pinned)
		failed, used := p.w.best(p.points, opt.Limit, res.MaxLive, firstFree)
		if len(failed) == 0 {
			used = p.spread(k, opt, used)
			res.Used = used
			p.w.rename(k, ir.KindReg)
			k.NumRegs = used
			return nil
		}
		nodes := p.choose(failed, opt.Limit, more)
		if len(nodes) == 0 {
			break
		}
		for len(pinned) < k.NumRegs {
			pinned = append(pinned, false)
		}
		s := spiller{k: k, pinned: &pinned}
		s.spill(p.w, nodes)
		res.SpilledBytes += s.bytes
		k.SpillBytes += s.bytes
		alignVectors(k, false, func(words int) {
			for range words {
				pinned = append(pinned, true)
			}
		})
	}
	return fmt.Errorf("%s: cannot be compiled for %d registers per thread; %d are enough for any kernel", k.Name,
		opt.Limit, MinRegisters)
}

// patience bounds the instructions processed by all rounds of spilling together. Beyond it, a round spills more
// than seems necessary, to come to an end.
const patience = 1 << 19

// choose returns the nodes to spill to make places for the failed nodes, and more additional nodes.
func (p *problem) choose(failed []*node, limit, more int) []*node {
	if v := p.w.victims(p.points, limit); len(v) > 0 {
		return v
	}
	var out []*node
	seen := map[*node]bool{}
	r := newRelief(p.w, p.points)
	take := func(n *node) {
		if n != nil && !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	for _, f := range failed {
		take(r.victim(f))
	}
	for i := 0; i < len(r.rank) && more > 0; i++ {
		if n := r.rank[i]; !n.pinned && !seen[n] && n.meets(failed[0]) {
			take(n)
			more--
		}
	}
	return out
}

// rename replaces virtual by physical numbers in the instructions.
func (w *web) rename(k *ir.Kernel, kind ir.Kind) {
	f := func(o *ir.Operand) {
		if o.Kind != kind {
			return
		}
		if p := w.places[o.Reg]; p.n != nil {
			o.Reg = ir.Reg(p.n.base + p.word)
		}
	}
	for pc := range k.Insts {
		in := code.Clone(k.Insts[pc])
		code.Uses(&in, f)
		code.Defs(&in, f)
		k.Insts[pc] = in
	}
}

func removeSelfCopies(k *ir.Kernel) {
	code.Rewrite(k, func(e *code.Editor, pc int, in ir.Inst) {
		if !isCopy(&in) || in.Dst[0].Reg != in.Src[0].Reg {
			e.Emit(in)
		}
	})
}
