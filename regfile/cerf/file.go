package cerf

import (
	"kumiko/components/wire"
	"kumiko/memsys/l1"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

func init() {
	regfile.Register(regfile.Kind{
		Name: "cerf",
		Doc: "register file and L1 in one cache (Jing et al., Cache-Emulated Register File, 2016), behind a " +
			"conventional file's collectors",
		Lacks: map[regfile.Service]string{
			regfile.Vacating: "no notice tells its cache which registers a warp has given up",
			regfile.Switching: "whether its replacement suits registers of warps without scheduler slots has not " +
				"been examined",
			regfile.Placing: "registers lie in its cache by the number of their warp, and have no places that warps " +
				"share",
			regfile.Moving: "registers lie in its cache, or in the L2, and have no places from which they are moved"},
		OnChip: "cerf",
	}, regfile.Builder[Spec]{
		Default: Default,
		Base:    regfile.On(conventional.Kind, (*Spec).SetBase),
		Build:   func(env *regfile.Env, s *Spec) (regfile.Design, error) { return NewFile(env, *s) },
	})
}

// File is a conventional register file with a cache in place of its banks.
type File struct {
	*conventional.File
	tags *Tags
	spec Spec
	most int // most registers of a warp
}

// NewFile builds a cache-emulated register file into an SM.
func NewFile(env *regfile.Env, s Spec) (*File, error) {
	f := &File{spec: s, most: env.Registers}
	extend := func(p *conventional.Part) (*conventional.Extension, error) {
		t, err := New(p, s)
		if err != nil {
			return nil, err
		}
		f.tags = t
		return t.extension(), nil
	}
	main, err := conventional.New(env, &s.base, conventional.ExtraOutput(), conventional.Extend(extend))
	f.File = main
	return f, err
}

// Begin implements regfile.Planned. It takes the number of registers per warp from the launch, bounded by the most
// a warp can have: a warp may be charged for more.
func (f *File) Begin(plan any) {
	f.File.Begin(plan)
	if l, ok := plan.(*regfile.Launch); ok {
		f.tags.contexts.each = max(1, min(l.Registers, f.most)) // as in the index of the banks
	}
}

// Notices implements regfile.Listener: the tags are notified of ending CTAs.
func (f *File) Notices() regfile.Notices { return regfile.Notices{CTA: &f.tags.CTAs} }

// Cache implements regfile.DataCache.
func (f *File) Cache() *l1.Ports {
	t := f.tags
	return &l1.Ports{In: &t.Txn, Hit: &t.Hit, Fill: &t.Fill, Miss: &t.Miss, Reply: &t.Reply,
		HitLatency: int(t.hit), HitStages: int(t.hit), Hits: 2, MissQueue: f.spec.MissQueue}
}

// Flush implements regfile.DataCache. It drops all lines; between launches there are no registers.
func (f *File) Flush() {
	t := f.tags
	t.core.Reset()
	t.count.account(wire.Cycle(t.Now()))
	t.count.active = [numKinds]uint64{}
	clear(t.there)
	clear(t.back.spilled)
}
