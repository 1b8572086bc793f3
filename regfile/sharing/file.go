package sharing

import (
	"kumiko/components/bank"
	"kumiko/components/spec"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

func init() {
	regfile.Register(regfile.Kind{
		Name:  "sharing",
		Doc:   "conventional register file whose CTAs share registers in pairs (Jatala et al.)",
		Needs: []regfile.Service{regfile.Placing},
		Lacks: map[regfile.Service]string{regfile.Switching: "a warp without scheduler slots would keep the lock " +
			"that active warps wait for"},
		Aliases: map[string]string{"threshold": "threshold"},
	}, regfile.Builder[Spec]{
		Default: Default,
		Base:    regfile.On(conventional.Kind, (*Spec).SetBase),
		Build:   func(env *regfile.Env, s *Spec) (regfile.Design, error) { return New(env, *s) },
		Chip:    joinChip,
		Admit:   (*Spec).Admit,
		Merge:   merge,
	})
}

// File is a register file with the blocks for sharing it among CTAs.
type File struct {
	regfile.File

	spec     Spec
	pairs    *Pairs
	locks    *Locks
	throttle *Throttle // nil without dynamic warp execution
	plan     plan
}

// New builds a register file with sharing among CTAs.
func New(env *regfile.Env, s Spec) (*File, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	beneath := *env
	beneath.Places = env.Warps / 2
	data, err := conventional.Beneath(&beneath, &s.base)
	if err != nil {
		return nil, err
	}
	ctas := env.CTAs
	if ctas == 0 {
		ctas = env.Warps // no SM holds more
	}
	f := &File{File: data, spec: s}
	name := env.Name + ".RegFile."
	f.pairs = NewPairs(name+"Pairs", env.Domain, ctas, env.Warps, env.Stats)
	f.locks = NewLocks(name+"Locks", env.Domain, LocksSpec{Contexts: env.Warps, Schedulers: env.Schedulers,
		Rule: s.DeadlockRule, Owner: &f.pairs.Owner, Index: data.Index()}, env.Stats)
	wire.Connect(&f.pairs.Begun, &f.locks.Begun, 1)
	wire.Connect(&f.locks.Taken, &f.pairs.Taken, 1)
	if s.Dynamic {
		f.throttle = NewThrottle(name+"Throttle", env.Domain, s.throttle(env.Warps, f.pairs), env.Stats)
		wire.Connect(&f.locks.Pulses, &f.throttle.Pulses, 1)
	}
	return f, nil
}

// throttle returns the specification of the throttle of an SM with the given number of warp contexts and these
// pairs.
func (s *Spec) throttle(contexts int, p *Pairs) ThrottleSpec {
	return ThrottleSpec{Contexts: contexts, Window: s.Window, Levels: s.levels(), Seed: uint64(s.Seed), Owner: &p.Owner,
		NonOwner: &p.NonOwner, Unshared: &p.Unshared}
}

// Begin prepares the sharing of registers in the next launch as planned.
func (f *File) Begin(p any) {
	f.plan = *p.(*plan)
	f.split()
	f.pairs.Load(f.plan)
	f.locks.Load(f.plan)
	if f.throttle != nil {
		f.throttle.Load(f.plan.on())
	}
}

// split reports to the banks the first register to exist once per pair of warps. Without sharing there is none.
func (f *File) split() {
	if f.plan.on() {
		f.Index().Split(f.plan.private)
	} else {
		f.Index().Split(bank.NoSplit)
	}
}

// Gates returns the gate of the locks and, with dynamic warp execution, the gate of the throttle. The second has
// Asks set, so that the throttle can count held instructions.
func (f *File) Gates() []regfile.Gate {
	gates := []regfile.Gate{lockGate: {
		Reason: "lock", Doc: "the instruction names a register that the warp shares, and the warp does not hold its " +
			"lock",
		Closed: &f.locks.Closed, Holds: f.usesShared, Asks: true,
	}}
	if f.throttle != nil {
		gates = append(gates, regfile.Gate{
			Reason: "dynamic", Doc: "a memory instruction of a non-owner warp, in a cycle in which none of these may " +
				"issue",
			Closed: &f.throttle.Shut, Holds: f.isMemory, Asks: true,
		})
	}
	return gates
}

// usesShared reports whether an instruction reads or writes a shared register.
func (f *File) usesShared(in *ir.Inst) bool {
	if !f.plan.on() {
		return false
	}
	t, first := &in.T, f.plan.firstShared(in)
	for _, r := range t.Src[:t.NSrc] {
		if int(r) >= first {
			return true
		}
	}
	for _, r := range t.Dst[:t.NDst] {
		if int(r) >= first {
			return true
		}
	}
	return false
}

func (f *File) isMemory(in *ir.Inst) bool {
	return f.plan.on() && in.T.Class.Memory() && (f.spec.Shared || in.T.Space != ir.Shared)
}

// Classes returns, with owner_first, the owners and then the unshared CTAs.
func (f *File) Classes() []*wire.Signal[regfile.WarpSet] {
	if !f.spec.OwnerFirst {
		return nil
	}
	return []*wire.Signal[regfile.WarpSet]{&f.pairs.Owner, &f.pairs.Unshared}
}

// Notices returns the notices needed by the blocks: CTAs, requests for locks, ends of warps, and issues for the
// throttle.
func (f *File) Notices() regfile.Notices {
	n := regfile.Notices{CTA: &f.pairs.CTA, Events: regfile.Events(regfile.WarpHeld, regfile.WarpFinished)}
	if f.throttle != nil {
		n.Events |= regfile.Events(regfile.WarpIssued)
	}
	for i := range f.locks.Warp {
		n.Warp = append(n.Warp, &f.locks.Warp[i])
	}
	return n
}

// On implements regfile.Beside.
func (f *File) On() regfile.Design { return f.File }

// State returns the storage of the conventional file and of each block beside it.
func (f *File) State() []regfile.State {
	var out []regfile.State
	if s, ok := any(f.File).(regfile.Sizer); ok {
		out = s.State()
	}
	out = append(out, f.pairs.State()...)
	out = append(out, f.locks.State()...)
	if f.throttle != nil {
		out = append(out, f.throttle.State()...)
	}
	return out
}

// joinChip joins the throttles of all SMs: each compares itself with SM 0.
func joinChip(env *regfile.ChipEnv, x *Spec, files []regfile.Design) error {
	if !x.Dynamic {
		return nil
	}
	if len(files) < 2 {
		return spec.Errorf("dynamic", true,
			"false with one SM: SM 0 only holds back, for the others to compare themselves with")
	}
	if x.Window <= env.Latency {
		return spec.Errorf("window", x.Window, "more than the %d cycles after which an SM hears of another",
			env.Latency)
	}
	zero := files[0].(*File).throttle
	for i, f := range files {
		f.(*File).throttle.join(i, zero, env.Latency)
	}
	return nil
}
