package compiler

import (
	"kumiko/kernel/compiler/alloc"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/compiler/flow"
	"kumiko/kernel/compiler/fold"
	"kumiko/kernel/compiler/lower"
	"kumiko/kernel/compiler/sched"
	"kumiko/kernel/ir"
)

// Compile returns a copy of k in machine form: lowered, with physical
// registers, reconvergence points and timing set. k itself is not changed.
func Compile(k *ir.Kernel, opt Options) (*ir.Kernel, error) {
	out, _, err := CompileReport(k, opt)
	return out, err
}

// CompileReport is Compile with the figures of the allocation.
func CompileReport(k *ir.Kernel, opt Options) (*ir.Kernel, Report, error) {
	k = code.CloneKernel(k)
	limit := opt.Registers
	if limit == 0 {
		limit = k.MaxRegs
	}
	if limit > 0 && limit < alloc.MinRegisters && opt.Registers == 0 {
		limit = alloc.MinRegisters // .maxnreg is a wish
	}
	passes(k, opt, limit)
	res, err := alloc.Run(k, alloc.Options{
		Limit: limit, Predicates: opt.Predicates, Policy: opt.Policy, Banks: opt.Banks, NoCoalesce: !opt.on(Coalesce),
	})
	if err != nil {
		return nil, Report{}, err
	}
	k.Footprint = roundUp(res.Used, 4)
	if opt.Registers > 0 {
		k.Footprint = opt.Registers
	}
	cfg.Build(k.Insts).SetReconv(k.Insts)
	setTiming(k)
	return k, newReport(k, res, opt), nil
}

// passes lowers and improves k, still over virtual registers.
func passes(k *ir.Kernel, opt Options, limit int) {
	run := func(s Step, f func(*ir.Kernel)) {
		if opt.on(s) {
			f(k)
		}
	}
	run(Thread, flow.Thread)
	run(Fold, fold.Run)
	run(Dead, fold.Dead)
	run(Fuse, fold.Index)
	run(Fuse, fold.Fuse)
	run(FloatDivide, lower.FloatDivide)
	run(Divide, lower.Divide)
	run(Wide, lower.Wide)
	run(Fold, fold.Run)
	run(Dead, fold.Dead)
	run(Fold, fold.Run)
	run(Dead, fold.Dead)
	if opt.on(IfConvert) {
		n := opt.IfThreshold
		if n == 0 {
			n = flow.DefaultThreshold
		}
		flow.IfConvert(k, n)
		run(Thread, flow.Thread)
	}
	run(Fold, fold.Legalize)
	if opt.on(Schedule) {
		sched.Run(k, limit)
	}
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }
