package regpool

import (
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

func init() {
	regfile.Register(regfile.Kind{
		Name: "regpool",
		Doc: "register file with warps that give up and gain registers while they run (setmaxnreg of Hopper, " +
			"dynamic VGPRs of RDNA4)",
		Needs: []regfile.Service{regfile.Vacating},
		Lacks: map[regfile.Service]string{regfile.Switching: "a warp without scheduler slots would keep " +
			"registers for which others wait"},
	}, regfile.Builder[Spec]{
		Default: Default,
		Base:    regfile.On(conventional.Kind, (*Spec).SetBase),
		Build:   func(env *regfile.Env, s *Spec) (regfile.Design, error) { return New(env, *s) },
		Admit:   (*Spec).Admit,
	})
}

// File is a register file with pools of registers.
type File struct {
	regfile.Design

	pool *Pool
	on   bool
}

// New builds a register file with pools of registers shared by the warps.
func New(env *regfile.Env, s Spec) (*File, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	beneath := *env
	beneath.Vacates = true
	data, err := s.data(&beneath)
	if err != nil {
		return nil, err
	}
	capacity := env.Capacity
	if capacity == 0 {
		capacity = env.Warps * env.Registers
	}
	ctas := env.CTAs
	if ctas == 0 {
		ctas = env.Warps
	}
	pool := NewPool(env.Name+".RegFile.Registers", env.Domain, &PoolSpec{Spec: s, Contexts: env.Warps, CTAs: ctas,
		Schedulers: env.Schedulers, Blocks: capacity / s.Registers}, env.Stats)
	return &File{Design: data, pool: pool}, nil
}

// data builds the register file with the data plane. It needs no places of its own for blocks: a block is a
// multiple of the banks of a GPU, and a register keeps its bank wherever its block lies.
func (s *Spec) data(env *regfile.Env) (regfile.Design, error) {
	if env.Path != nil {
		return env.Path(env)
	}
	return conventional.New(env, &s.base)
}

// Begin prepares the pools for a launch.
func (f *File) Begin(x any) {
	p := x.(*plan)
	f.on = p.on
	f.pool.Load(p)
}

// grows reports whether an instruction asks for registers.
func grows(in *ir.Inst) bool { return in.Op == ir.OpSetmaxnreg && in.Mods.Grow }

// Gates returns the gate before requests for registers.
func (f *File) Gates() []regfile.Gate {
	return []regfile.Gate{{
		Reason: "registers", Doc: "the warp waits for registers that it has asked for",
		Closed: &f.pool.Closed, Holds: func(in *ir.Inst) bool { return f.on && grows(in) }, Asks: true,
	}}
}

// Vacates implements regfile.Vacater.
func (f *File) Vacates(in *ir.Inst) int {
	if f.on && in.Op == ir.OpSetmaxnreg && !in.Mods.Grow {
		return int(in.Src[0].Imm)
	}
	return regfile.NumRegisters
}

// Notices returns the notices needed by the pools: requests, changes, begins and ends.
func (f *File) Notices() regfile.Notices {
	n := regfile.Notices{Events: regfile.Events(regfile.WarpHeld, regfile.WarpIssued, regfile.WarpFinished),
		CTA: &f.pool.CTAs}
	for i := range f.pool.Warp {
		n.Warp = append(n.Warp, &f.pool.Warp[i])
	}
	return n
}

// On implements regfile.Beside.
func (f *File) On() regfile.Design { return f.Design }

// State returns the storage of the file.
func (f *File) State() []regfile.State {
	out := f.pool.State()
	if x, ok := f.Design.(regfile.Sizer); ok {
		return append(x.State(), out...)
	}
	return out
}
