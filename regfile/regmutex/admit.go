package regmutex

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/kernel/compiler/regmutex"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// plan is the information about a launch needed by a file.
type plan struct {
	*regfile.Launch
	base     int            // registers of a warp's base set
	sections int            // of a sub-core; 0: nothing is shared
	code     *regmutex.Plan // nil: nothing is shared, or the kernel is not known
	beside   *beside        // nil: one kernel
}

// beside is the part of a plan for several kernels whose warps share one pool.
type beside struct {
	insts []*ir.Inst // by PC
	base  []int      // by PC: registers of the base set of its warps; bank.NoSplit: the kernel shares nothing
}

// Merge makes the plan for launches side by side. The pool has its share of the registers, and sections that suit each
// kernel; it has less where a CTA would find no room beside it.
func (s *Spec) Merge(parts []regfile.Part) (regfile.Merged, error) {
	x := &beside{}
	first := parts[0].Plan.(*plan)
	out := &plan{Launch: first.Launch, code: &regmutex.Plan{}, beside: x}
	merged, extended, most := regfile.Merged{Plan: out}, 0, 0
	for i := range parts {
		p := parts[i].Plan.(*plan)
		base, needs, n := bank.NoSplit, make([]bool, len(parts[i].Insts)), p.CTARegisters/warpSize
		if p.on() {
			base, needs, n = p.base, p.code.Needs, p.WarpsPerCTA*p.base
			extended = max(extended, p.Registers-p.base)
		}
		for pc := range parts[i].Insts {
			x.insts, x.base = append(x.insts, &parts[i].Insts[pc]), append(x.base, base)
		}
		out.code.Needs = append(out.code.Needs, needs...)
		merged.OfCTA, most = append(merged.OfCTA, n*warpSize), max(most, n)
	}
	if extended == 0 {
		return merged, nil
	}
	each := extended * s.parts(first.Launch) // registers of a section in each sub-core
	pool := min(int(s.Pool*float64(first.Capacity)), first.Capacity-most)
	out.sections = min(max(1, pool/each), (first.Warps+s.parts(first.Launch)-1)/s.parts(first.Launch))
	if n := first.Capacity - out.sections*each; most > n {
		return merged, fmt.Errorf("register file regmutex: a CTA needs %d warp registers, and an SM has %d beside the "+
			"pool of the kernels side by side", most, n)
	}
	merged.Apart = out.sections * each * warpSize
	return merged, nil
}

// on reports whether warps share registers.
func (p *plan) on() bool { return p.sections > 0 }

// Admit admits as many CTAs as the base sets of their warps, beside the pool, allow. If no more CTAs fit than with
// all of their registers, nothing is shared.
func (s *Spec) Admit(l *regfile.Launch) (regfile.Admission, error) {
	p, err := s.plan(l)
	if err != nil {
		return regfile.Admission{}, err
	}
	a, err := l.ByRules()
	switch {
	case p.on() && l.Active < l.Warps:
		return regfile.Admission{}, fmt.Errorf("a two-level scheduler's %d active warps may all wait for sections "+
			"of warps that find no place among them; expected sched.policy lrr, gto, oldest or fetch-group", l.Active)
	case p.on():
		a.Resident, a.Limit = s.resident(l, p.base), ""
		if a.Resident == l.Others {
			a.Limit = l.OthersLimit
		}
		a.Used = warpSize * (a.Resident*l.WarpsPerCTA*p.base + s.parts(l)*p.sections*(l.Registers-p.base))
	case err != nil:
		return regfile.Admission{}, err
	}
	a.Active, a.Held, a.Plan = min(a.Resident, l.Slotted), a.Resident, p
	a.Figures = []regfile.Figure{
		{Name: "base_registers", Doc: "registers in the base set of a warp", Value: p.base},
		{Name: "sections", Doc: "sections for the other registers, per SM", Value: s.parts(l) * p.sections}}
	return a, nil
}

// warpSize is the number of 32-bit registers of a warp register.
const warpSize = 32

// parts returns the number of the register file's sub-cores.
func (s *Spec) parts(l *regfile.Launch) int {
	if s.base.SubCores > 0 {
		return s.base.SubCores
	}
	return l.Schedulers
}

// plan divides the registers of a launch's warps.
func (s *Spec) plan(l *regfile.Launch) (*plan, error) {
	p := &plan{Launch: l, base: l.Registers}
	own := s.ownRegisters(l.Registers)
	var code *regmutex.Plan
	if l.Tables != nil {
		for own < l.Tables.Kernel().NumRegs {
			var err error
			if code, err = l.Tables.RegMutex(own); err != nil {
				return nil, err
			}
			if len(code.Barriers) == 0 {
				break
			}
			own++ // warps would wait at a barrier for others waiting for sections
		}
		if own >= l.Tables.Kernel().NumRegs {
			return p, nil
		}
	}
	extended := l.Registers - own
	if own >= l.Registers || s.resident(l, own) <= min(l.ByRegisters, l.Others) {
		return p, nil
	}
	n := s.resident(l, own)
	parts, warps := s.parts(l), n*l.WarpsPerCTA
	p.base, p.code = own, code
	p.sections = min((l.Capacity-warps*own)/extended/parts, (warps+parts-1)/parts)
	return p, nil
}

// resident returns the most CTAs resident if each warp has the given number of its own registers.
func (s *Spec) resident(l *regfile.Launch, own int) int {
	least := s.parts(l) * (l.Registers - own)
	room := min(l.Capacity-least, int((1-s.Pool)*float64(l.Capacity)))
	return min(l.Others, room/(l.WarpsPerCTA*own))
}
