package regpool

import (
	"fmt"

	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// warpgroup is the number of warps executing setmaxnreg together (PTX ISA section 9.7.19.5).
const warpgroup = 4

// plan is the information about a launch needed by a file.
type plan struct {
	*regfile.Launch
	on    bool // the kernel changes its registers
	start int  // blocks of a beginning warp
	most  int  // most blocks asked for by a warp, at least start
	pool  int  // blocks beside those of all resident warps at their beginning
}

// Admit admits as many CTAs as their warps' registers at the launch allow. In a kernel without changes of its
// registers the warps have all of them all the time.
func (s *Spec) Admit(l *regfile.Launch) (regfile.Admission, error) {
	if l.Tables == nil || l.Tables.Kernel().Launched == 0 {
		a, err := l.ByRules()
		a.Plan = &plan{Launch: l}
		return a, err
	}
	p, err := s.plan(l)
	if err != nil {
		return regfile.Admission{}, err
	}
	n, err := s.resident(p)
	if err != nil {
		return regfile.Admission{}, err
	}
	begin := n * l.WarpsPerCTA * p.start
	if s.Pool == PoolSM {
		p.pool = l.Capacity/s.Registers - begin
	}
	a := regfile.Admission{Residency: regfile.Residency{Resident: n, Active: n, Held: n}, Plan: p}
	a.Used = warpSize * s.Registers * (begin + p.pool)
	if n == l.Others {
		a.Limit = l.OthersLimit
	}
	return a, nil
}

// warpSize is the number of 32-bit registers of a warp register.
const warpSize = 32

// plan reads the changes of a launch's kernel.
func (s *Spec) plan(l *regfile.Launch) (*plan, error) {
	switch {
	case l.Active < l.Warps:
		return nil, fmt.Errorf("a two-level scheduler's %d active warps may all wait for registers of warps that find "+
			"no place among them; expected sched.policy lrr, gto, oldest or fetch-group", l.Active)
	case l.WarpsPerCTA%warpgroup != 0:
		return nil, fmt.Errorf("found a CTA of %d warps whose kernel has setmaxnreg, expected whole warpgroups of %d",
			l.WarpsPerCTA, warpgroup)
	}
	k := l.Tables.Kernel()
	p := &plan{Launch: l, on: true, start: s.blocks(k.Launched)}
	p.most = p.start
	least := p.start
	for pc := range k.Insts {
		in := &k.Insts[pc]
		if in.Op != ir.OpSetmaxnreg {
			continue
		}
		n := s.blocks(int(in.Src[0].Imm))
		p.most, least = max(p.most, n), min(least, n)
		if n > s.most() {
			return nil, fmt.Errorf("%s:%d:%d: found setmaxnreg to %d registers, expected at most %d: a warp has at "+
				"most %d blocks of %d", k.File, in.Line, in.Col, in.Src[0].Imm, s.most()*s.Registers, s.most(),
				s.Registers)
		}
	}
	if w := l.WarpsPerCTA; s.Pool == PoolCTA && p.most+(w-1)*least > w*p.start {
		return nil, fmt.Errorf("found a setmaxnreg to %d registers that no warp can get: the %d warps of a CTA are "+
			"launched with %d registers each, and keep at least %d; expected more at the launch (.maxnreg), or fewer",
			p.most*s.Registers, w, p.start*s.Registers, least*s.Registers)
	}
	return p, nil
}

// resident returns the number of CTAs with room for their beginning warps.
func (s *Spec) resident(p *plan) (int, error) {
	w, room := p.WarpsPerCTA, p.Capacity/s.Registers
	if s.Pool == PoolSM {
		room -= s.reserved(p)
	}
	n := min(p.Others, room/(w*p.start))
	if s.Pool == PoolSM && s.Warps > 0 {
		n = min(n, s.Warps/w)
	}
	if n < 1 {
		return 0, fmt.Errorf("the %d warps of a CTA begin with %d registers each and may ask for %d, of %d warp "+
			"registers of an SM: expected fewer, another reserve (%s), or warps for at least %d", w,
			p.start*s.Registers, p.most*s.Registers, p.Capacity, s.Reserve, w)
	}
	return n, nil
}

// reserved returns the number of blocks kept free when CTAs are admitted, so that at least one warp, or all warps of
// one CTA, can have the most registers.
func (s *Spec) reserved(p *plan) int {
	if s.Reserve == ReserveCTA {
		return p.WarpsPerCTA * (p.most - p.start)
	}
	return p.most - p.start
}
