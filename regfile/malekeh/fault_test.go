package malekeh

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/regfile/contracttest"
	"kumiko/regfile/conventional"
)

// faulty is units with a fault: a block between write-back and units, or units whose rules are changed.
func faulty(fault func(*Units)) *regfile.Kind {
	return regfile.Define(regfile.Kind{Name: "malekeh"}, regfile.Builder[Spec]{
		Default: Default,
		Build: func(env *regfile.Env, s *Spec) (regfile.Design, error) {
			f := &File{spec: *s, regs: env.Registers, warps: env.Warps}
			extend := func(p *conventional.Part) (*conventional.Extension, error) {
				u, err := New(p, f.spec)
				if err != nil {
					return nil, err
				}
				f.units = append(f.units, u)
				fault(u)
				return u.extension(), nil
			}
			main, err := conventional.New(env, &f.spec.base, conventional.Extend(extend))
			f.File = main
			return f, err
		},
	})
}

// The operand check finds a stale value in a unit and a lane too many. Without a fault it finds nothing.
func TestFaultsAreFound(t *testing.T) {
	for name, x := range map[string]struct {
		fault func(*Units)
		found bool
	}{
		"none": {func(*Units) {}, false},
		"a result passes its entry by": {func(u *Units) {
			wire.OnPop(&u.Result, func(_ wire.Cycle, a *bank.Access) {
				if c := u.unitOf(a.Warp); c != nil && a.Tag%8 == 0 {
					if e := c.find(a.Reg); e != nil {
						e.content.Seq--
					}
				}
			})
		}, true},
		"an entry has all lanes": {func(u *Units) {
			wire.OnPop(&u.Fill, func(_ wire.Cycle, v *bank.Value) {
				for i := range u.units {
					for k := range u.units[i].entries {
						if e := &u.units[i].entries[k]; e.used && e.valid != 0 {
							e.valid = ^uint32(0)
						}
					}
				}
			})
		}, true},
	} {
		problems := 0
		for _, c := range contracttest.Configs() {
			s := Default()
			o, err := contracttest.Run(contracttest.With(faulty(x.fault), s), c, 0)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			problems += len(o.Problems)
		}
		if problems > 0 != x.found {
			t.Errorf("%s: %d problems", name, problems)
		}
	}
}
