package compiler

import (
	"cmp"
	"fmt"

	"kumiko/kernel/compiler/alloc"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/compiler/control"
	"kumiko/kernel/compiler/flow"
	"kumiko/kernel/compiler/fold"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/compiler/lower"
	"kumiko/kernel/compiler/marks"
	"kumiko/kernel/compiler/maxnreg"
	"kumiko/kernel/compiler/merge"
	"kumiko/kernel/compiler/sched"
	"kumiko/kernel/ir"
)

// Compile returns a copy of k in machine form: lowered, with physical
// registers, reconvergence points and timing set. k itself is not changed. A panic of a
// pass is returned as an *ir.InternalError.
func Compile(k *ir.Kernel, opt Options) (*ir.Kernel, error) {
	out, _, err := CompileReport(k, opt)
	return out, err
}

// CompileReport is Compile with the figures of the allocation.
func CompileReport(k *ir.Kernel, opt Options) (out *ir.Kernel, report Report, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, report, err = nil, Report{}, ir.Internal(k, first(k), p)
		}
	}()
	if err := compilable(k); err != nil {
		return nil, Report{}, err
	}
	out, report, err = compile(k, opt, 0)
	if opt.on(Merge) && (err != nil || report.Spilled > 0) {
		out, report, opt, err = unmerged(k, opt, out, report, err)
	}
	if err != nil || !opt.ahead() {
		return out, report, err
	}
	return compileAhead(k, opt, out, report)
}

// unmerged compiles k once more without joined accesses, since these need consecutive registers. It returns the
// result with fewer spilled registers, and the options of this result.
func unmerged(k *ir.Kernel, opt Options, out *ir.Kernel, report Report, err error) (*ir.Kernel, Report, Options,
	error) {
	apart := opt
	apart.Off |= Merge
	other, r, e := compile(k, apart, 0)
	if e == nil && (err != nil || r.Spilled < report.Spilled) {
		return other, r, apart, nil
	}
	return out, report, opt, err
}

// compile compiles k. ahead is the number of registers for loads ahead of their uses; 0: no more than needed
// anyway.
func compile(k *ir.Kernel, opt Options, ahead int) (*ir.Kernel, Report, error) {
	k = code.CloneKernel(k)
	limit := opt.bound(k)
	if k.Launched = opt.launched(k); k.Launched > 0 {
		if err := maxnreg.Of(k, cfg.Build(k.Insts)).Check(); err != nil {
			return nil, Report{}, err
		}
		limit = 0 // setmaxnreg may raise it
	}
	for _, p := range passes(opt, limit, ahead) {
		p.apply(k)
	}
	number(k)
	varying := marks.Branches(k)
	res, err := alloc.Run(k, alloc.Options{
		Limit: limit, Predicates: opt.Predicates, Policy: opt.Policy, Banks: opt.Banks, NoCoalesce: !opt.on(Coalesce),
	})
	if err != nil {
		return nil, Report{}, err
	}
	if k.LocalBytes > ir.MaxLocalBytes {
		return nil, Report{}, fmt.Errorf("%s: kernel %s: found %d bytes of local memory per thread, %d of them for "+
			"registers that do not fit, expected at most %d",
			k.File, k.Name, k.LocalBytes, k.SpillBytes, ir.MaxLocalBytes)
	}
	if opt.FirstUse && k.Launched == 0 && alloc.Reorder(k, cmp.Or(limit, roundUp(res.Used, 4))) {
		res.Used = k.NumRegs
	}
	k.FirstUse = opt.FirstUse
	if opt.on(Thread) {
		flow.Thread(k) // removes jumps over blocks emptied by coalescing
	}
	varying = renumber(k, varying)
	k.Footprint = max(4, roundUp(res.Used, 4))
	if opt.Registers > 0 && (k.Launched == 0 || opt.Registers > k.Footprint) {
		k.Footprint = opt.Registers
	}
	if k.Launched == 0 && k.NumRegs > k.Footprint {
		panic(fmt.Sprintf("%d registers are named, and %d are charged to a thread", k.NumRegs, k.Footprint))
	}
	cfg.Build(k.Insts).SetReconv(k.Insts)
	setTiming(k, varying)
	if opt.Control != "" {
		m, err := control.For(opt.Control)
		if err != nil {
			return nil, Report{}, err
		}
		control.Set(k, m.On(&opt.Hardware))
	}
	return k, newReport(k, res, opt), nil
}

// maxLive bounds the product of a kernel's registers and basic blocks: each block has sets of the registers live at
// its ends.
const maxLive = 1 << 29

// compilable returns an error for machine code, and for a kernel too large to compile in reasonable time.
func compilable(k *ir.Kernel) error {
	if k.Converges {
		return fmt.Errorf("%s: kernel %s: found machine code, expected PTX: the timing model does not run it", k.File,
			k.Name)
	}
	regs, blocks := k.NumRegs+k.NumPreds, len(cfg.Build(k.Insts).Blocks)
	if regs*blocks <= maxLive {
		return nil
	}
	first := &k.Insts[0] // there is one, since there is a block
	return fmt.Errorf("%s:%d:%d: found kernel %s of %d registers and predicates and %d basic blocks, expected a "+
		"product of at most %d",
		k.File, first.Line, first.Col, k.Name, regs, blocks, maxLive)
}

// number stores each branch's number in program order in its Reconv, not in use yet. So a branch can be identified
// after the removal of others.
func number(k *ir.Kernel) {
	n := 0
	for pc := range k.Insts {
		if branch(&k.Insts[pc]) {
			k.Insts[pc].Reconv = n
			n++
		}
	}
}

// renumber returns the entries of list, with one entry per numbered branch, of the remaining branches.
func renumber(k *ir.Kernel, list []bool) []bool {
	var out []bool
	for pc := range k.Insts {
		if branch(&k.Insts[pc]) {
			out = append(out, list[k.Insts[pc].Reconv])
		}
	}
	return out
}

func branch(in *ir.Inst) bool { return in.Op == ir.OpBra || in.Op == ir.OpBrx }

// pass is one step over virtual registers.
type pass struct {
	step Step
	run  func(*ir.Kernel)
}

// apply runs the pass. To a panic it adds the place of the kernel's first instruction, and the name of the pass in
// compiler.off.
func (p *pass) apply(k *ir.Kernel) {
	defer func() {
		if v := recover(); v != nil {
			panic(ir.Internal(k, first(k), fmt.Errorf("%v (in a pass of compiler.off = [%q])", v, p.step.String())))
		}
	}()
	p.run(k)
}

// first returns the kernel's first instruction, nil for none.
func first(k *ir.Kernel) *ir.Inst {
	if len(k.Insts) == 0 {
		return nil
	}
	return &k.Insts[0]
}

// passes returns the passes to run, in order. Folding comes before lowering, with addresses and loop bounds still
// whole, and again after it, for the words.
func passes(opt Options, limit, ahead int) []pass {
	threshold := opt.IfThreshold
	if threshold == 0 {
		threshold = flow.DefaultThreshold
	}
	list := []pass{
		{Thread, flow.Thread},
		{Fold, fold.Run}, {Dead, fold.Dead},
		{Fuse, fold.Index}, {Fuse, fold.Fuse},
		{FloatDivide, lower.FloatDivide}, {Divide, lower.Divide}, {Wide, lower.Wide},
		{Fold, fold.Run}, {Dead, fold.Dead}, {Fold, fold.Run}, {Dead, fold.Dead},
		{IfConvert, func(k *ir.Kernel) { flow.IfConvert(k, threshold) }}, {IfConvert, flow.Thread},
		{Merge, func(k *ir.Kernel) { merge.Run(k, cmp.Or(limit, alloc.MaxRegisters)) }},
		{Fold, fold.Legalize},
		{Schedule, func(k *ir.Kernel) {
			if ahead > 0 {
				sched.Ahead(k, ahead)
			} else {
				sched.Run(k, limit, opt.Spare)
			}
		}},
	}
	out := list[:0]
	for _, p := range list {
		if opt.on(p.step) {
			out = append(out, p)
		}
	}
	return out
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// Report has the register figures of a compiled kernel.
type Report struct {
	Kernel     string `json:"kernel"`
	Used       int    `json:"used"`          // registers per thread: the highest named, plus one
	Alloc4     int    `json:"alloc4"`        // used, rounded up to 4
	AllocHW    int    `json:"alloc_hw"`      // used, rounded up to the hardware's unit
	Predicates int    `json:"predicates"`    // predicates used
	Spilled    int    `json:"spilled_bytes"` // local memory per thread for spills
	MaxLive    int    `json:"max_live"`      // registers live at once before allocation
	// By is the assembler of machine code with its version, Hash the SHA-256 of its listing, and Notes say what of the
	// PTX was changed to be assembled; empty for code of this compiler.
	By    string   `json:"assembler,omitempty"`
	Hash  string   `json:"listing_hash,omitempty"`
	Notes []string `json:"notes,omitempty"`
}

func newReport(k *ir.Kernel, res alloc.Result, opt Options) Report {
	unit := opt.Unit
	if unit == 0 {
		unit = 8
	}
	return Report{
		Kernel: k.Name, Used: res.Used, Alloc4: roundUp(res.Used, 4), AllocHW: roundUp(res.Used, unit),
		Predicates: res.Predicates, Spilled: res.SpilledBytes, MaxLive: res.MaxLive,
	}
}

// MachineReport is the report of a kernel of machine code. unit is the hardware's unit of allocation, 0 for 8.
func MachineReport(k *ir.Kernel, spilled, unit int) Report {
	live, preds := 0, 0
	l := liveness.Analyze(k, cfg.Build(k.Insts))
	for pc, set := range l.Vectors() {
		live = max(live, len(l.Registers(set)))
		code.Defs(&k.Insts[pc], func(o *ir.Operand) {
			if o.Kind == ir.KindPred && o.Pred() < ir.UniformPreds {
				preds = max(preds, int(o.Pred())+1)
			}
		})
	}
	r := newReport(k, alloc.Result{Used: k.NumRegs, Predicates: preds, SpilledBytes: spilled}, Options{Unit: unit})
	r.MaxLive = live
	return r
}

// setTiming sets Timing of an allocated kernel. varying has the branches on which lanes may disagree.
func setTiming(k *ir.Kernel, varying []bool) {
	pc := 0
	defer func() {
		if p := recover(); p != nil {
			panic(ir.Internal(k, &k.Insts[min(pc, len(k.Insts)-1)], p))
		}
	}()
	for ; pc < len(k.Insts); pc++ {
		ir.SetTiming(&k.Insts[pc])
	}
	k.Varying = varying
	marks.All(k)
}
