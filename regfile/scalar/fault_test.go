package scalar

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/regfile/contracttest"
)

// faulty builds a file whose scalar files have a fault.
func faulty(env *regfile.Env, s *Spec, fault func(*Scalars)) (regfile.Design, error) {
	f, err := NewFile(env, *s)
	if err == nil {
		for _, x := range f.scalars {
			fault(x)
		}
	}
	return f, err
}

// The checks find a stale value, a register tagged as uniform though its value is in the banks, and one tagged as
// uniform though its lanes differ by a stride.
func TestFaultsAreFound(t *testing.T) {
	s := Default()
	contracttest.Faults(t, regfile.Kind{Name: "scalar", Values: true}, faulty, s, func(*Scalars) {},
		map[string]func(*Scalars){
			"a stale value": func(x *Scalars) {
				wire.OnPop(&x.Result, func(_ wire.Cycle, a *bank.Access) {
					if i := x.entryIndex(a.Warp, a.Reg); x.tags[i] != vector && a.Tag%8 == 0 {
						x.contents[i].Seq--
					}
				})
			},
			"a register keeps its tag": func(x *Scalars) {
				wire.OnPop(&x.Result, func(_ wire.Cycle, a *bank.Access) {
					if i := x.entryIndex(a.Warp, a.Reg); x.tags[i] == vector && x.contents[i].Lanes == all {
						x.tags[i] = uniform
						x.used[a.Warp]++
					}
				})
			},
			"a stride is lost": func(x *Scalars) {
				wire.OnPop(&x.Result, func(_ wire.Cycle, a *bank.Access) {
					if i := x.entryIndex(a.Warp, a.Reg); x.tags[i] == affine {
						x.tags[i] = uniform
					}
				})
			},
		})
}
