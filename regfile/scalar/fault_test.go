package scalar

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/regfile/contracttest"
)

// faulty is a file whose scalar files have a fault.
func faulty(fault func(*Scalars)) *regfile.Kind {
	return regfile.Define(regfile.Kind{Name: "scalar", Values: true}, regfile.Builder[Spec]{
		Default: Default,
		Build: func(env *regfile.Env, s *Spec) (regfile.Design, error) {
			f, err := NewFile(env, *s)
			if err == nil {
				for _, x := range f.scalars {
					fault(x)
				}
			}
			return f, err
		},
	})
}

// The checks find a stale value, a value that is in the banks and not in the scalar file, and a value with a stride
// taken for equal ones. Without a fault they find nothing.
func TestFaultsAreFound(t *testing.T) {
	for name, x := range map[string]struct {
		fault func(*Scalars)
		found bool
	}{
		"none": {func(*Scalars) {}, false},
		"a stale value": {func(x *Scalars) {
			wire.OnPop(&x.Result, func(_ wire.Cycle, a *bank.Access) {
				if i := x.entryIndex(a.Warp, a.Reg); x.tags[i] != vector && a.Tag%8 == 0 {
					x.contents[i].Seq--
				}
			})
		}, true},
		"a register keeps its tag": {func(x *Scalars) {
			wire.OnPop(&x.Result, func(_ wire.Cycle, a *bank.Access) {
				if i := x.entryIndex(a.Warp, a.Reg); x.tags[i] == vector && x.contents[i].Lanes == all {
					x.tags[i] = uniform
					x.used[a.Warp]++
				}
			})
		}, true},
		"a stride is lost": {func(x *Scalars) {
			wire.OnPop(&x.Result, func(_ wire.Cycle, a *bank.Access) {
				if i := x.entryIndex(a.Warp, a.Reg); x.tags[i] == affine {
					x.tags[i] = uniform
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
