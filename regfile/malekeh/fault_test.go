package malekeh

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/regfile/contracttest"
	"kumiko/regfile/conventional"
)

// faulty builds units with a fault: a block between write-back and units, or units whose rules are changed.
func faulty(env *regfile.Env, s *Spec, fault func(*Units)) (regfile.Design, error) {
	f := &File{spec: *s, regs: env.Registers, warps: env.Warps}
	main, err := conventional.New(env, &f.spec.base, conventional.Extend(
		func(p *conventional.Part) (*conventional.Extension, error) {
			u, err := New(p, f.spec)
			if err != nil {
				return nil, err
			}
			f.units = append(f.units, u)
			fault(u)
			return u.extension(), nil
		}))
	f.File = main
	return f, err
}

// The operand check finds a stale value in a unit and a lane too many.
func TestFaultsAreFound(t *testing.T) {
	s := Default()
	contracttest.Faults(t, regfile.Kind{Name: "malekeh"}, faulty, s, func(*Units) {}, map[string]func(*Units){
		"a result passes its entry by": func(u *Units) {
			wire.OnPop(&u.Result, func(_ wire.Cycle, a *bank.Access) {
				if c := u.unitOf(a.Warp); c != nil && a.Tag%8 == 0 {
					if e := c.find(a.Reg); e != nil {
						e.content.Seq--
					}
				}
			})
		},
		"an entry has all lanes": func(u *Units) {
			wire.OnPop(&u.Fill, func(_ wire.Cycle, v *bank.Value) {
				for i := range u.units {
					for k := range u.units[i].entries {
						if e := &u.units[i].entries[k]; e.used && e.valid != 0 {
							e.valid = ^uint32(0)
						}
					}
				}
			})
		},
	})
}
