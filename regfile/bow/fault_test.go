package bow

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/contracttest"
	"kumiko/regfile/conventional"
)

// fault changes windows that are built for a part of a file.
type fault = func(*Windows, *conventional.Extension, *conventional.Part)

// faulty builds windows with a fault.
func faulty(env *regfile.Env, s *Spec, change fault) (regfile.Design, error) {
	f := &File{spec: *s, regs: env.Registers}
	main, err := conventional.New(env, &f.spec.base, conventional.Extend(
		func(p *conventional.Part) (*conventional.Extension, error) {
			w, err := New(p, f.spec)
			if err != nil {
				return nil, err
			}
			f.windows = append(f.windows, w)
			x := w.extension()
			change(w, x, p)
			return x, nil
		}))
	f.File = main
	return f, err
}

// The operand check finds the loss of a needed value, and a value written back to another place.
func TestFaultsAreFound(t *testing.T) {
	s := Default()
	s.Writes = Hints
	contracttest.Faults(t, regfile.Kind{Name: "bow"}, faulty, s,
		func(*Windows, *conventional.Extension, *conventional.Part) {},
		map[string]fault{
			"every read is a last one": func(_ *Windows, x *conventional.Extension, _ *conventional.Part) {
				x.Hints.Source = func(*ir.Timing, int) bank.Hint { return readLast }
			},
			"written back to another place": func(w *Windows, _ *conventional.Extension, p *conventional.Part) {
				other, err := bank.NewIndex(bank.ByRegister, p.Banks, p.Env.Warps, p.Env.Registers, p.Env.Schedulers)
				if err != nil {
					t.Fatal(err)
				}
				w.index = other
			},
		})
}
