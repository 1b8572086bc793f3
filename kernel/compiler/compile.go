package compiler

import (
	"kumiko/kernel/compiler/alloc"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/code"
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

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }
