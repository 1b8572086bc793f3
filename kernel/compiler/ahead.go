package compiler

import (
	"kumiko/kernel/compiler/alloc"
	"kumiko/kernel/ir"
)

// ahead reports whether loads are placed ahead of their uses, with more registers than the kernel needs anyway.
func (o Options) ahead() bool {
	return o.Ahead && o.on(Schedule) && (o.Registers > 0 || o.Threads > 0)
}

// tries bounds the number of repeated schedules of a kernel, each with fewer live registers. They are needed
// because the allocator may use more registers than are live: pairs are aligned.
const tries = 6

// compileAhead compiles k with loads ahead of their uses. base is the kernel compiled with only the registers it
// needs anyway. It is returned if no more registers are available.
func compileAhead(k *ir.Kernel, opt Options, base *ir.Kernel, report Report) (*ir.Kernel, Report, error) {
	most := opt.most(k, base)
	if report.Spilled > 0 {
		return base, report, nil
	}
	for live := most; live > most-tries && live >= report.MaxLive; live-- {
		out, r, err := compile(k, opt, live)
		if err == nil && r.Spilled == 0 && r.Used <= most {
			return out, r, nil
		}
	}
	return base, report, nil
}

// most returns the registers available to loads ahead of their uses: Registers or, if that is 0, as many as leave the
// number of resident CTAs unchanged. For a kernel that changes its registers it is the latter, computed as if every
// warp had the most of them.
func (o Options) most(k, base *ir.Kernel) int {
	n := o.Registers
	switch {
	case base.Launched > 0 && o.Threads == 0:
		return base.Footprint
	case n == 0 || base.Launched > 0:
		n = o.SM.step(base.Footprint, o.Threads)
		if k.MaxRegs > 0 && base.Launched == 0 {
			n = min(n, k.MaxRegs)
		}
	}
	return min(n, alloc.MaxRegisters)
}
