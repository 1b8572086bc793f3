package bow

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/contracttest"
	"kumiko/regfile/conventional"
)

// faulty is windows with a fault.
func faulty(fault func(*Windows, *conventional.Extension, *conventional.Part)) *regfile.Kind {
	return regfile.Define(regfile.Kind{Name: "bow"}, regfile.Builder[Spec]{
		Default: Default,
		Build: func(env *regfile.Env, s *Spec) (regfile.Design, error) {
			f := &File{spec: *s, regs: env.Registers}
			extend := func(p *conventional.Part) (*conventional.Extension, error) {
				w, err := New(p, f.spec)
				if err != nil {
					return nil, err
				}
				f.windows = append(f.windows, w)
				x := w.extension()
				fault(w, x, p)
				return x, nil
			}
			main, err := conventional.New(env, &f.spec.base, conventional.Extend(extend))
			f.File = main
			return f, err
		},
	})
}

// The operand check finds the loss of a needed value, and a value written back to another place. Without a fault it
// finds nothing.
func TestFaultsAreFound(t *testing.T) {
	for name, x := range map[string]struct {
		fault func(*Windows, *conventional.Extension, *conventional.Part)
		found bool
	}{
		"none": {func(*Windows, *conventional.Extension, *conventional.Part) {}, false},
		"every read is a last one": {func(_ *Windows, x *conventional.Extension, _ *conventional.Part) {
			x.Hints.Source = func(*ir.Timing, int) bank.Hint { return readLast }
		}, true},
		"written back to another place": {func(w *Windows, _ *conventional.Extension, p *conventional.Part) {
			other, err := bank.NewIndex(bank.ByRegister, p.Banks, p.Env.Warps, p.Env.Registers, p.Env.Schedulers)
			if err != nil {
				t.Fatal(err)
			}
			w.index = other
		}, true},
	} {
		problems := 0
		for _, c := range contracttest.Configs() {
			s := Default()
			s.Writes = Hints
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
