package finereg

import (
	"testing"

	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/compiler/intervals"
	"kumiko/regfile"
	"kumiko/regfile/contracttest"
)

// saboteur changes something in a file in the first possible cycle.
type saboteur struct {
	wire.Comp
	f  *File
	do func(f *File) bool
}

func (s *saboteur) Tick(now wire.Cycle) bool { return !s.do(s.f) && now < 20000 }

// sabotaged returns a kind with files modified while they run.
func sabotaged(do func(f *File) bool) *regfile.Kind {
	return regfile.Define(regfile.Kind{Name: "finereg"}, regfile.Builder[Spec]{
		Default: Default,
		Build: func(env *regfile.Env, s *Spec) (regfile.Design, error) {
			f, err := NewFile(env, *s)
			if err != nil {
				return nil, err
			}
			x := &saboteur{f: f, do: do}
			x.Init("Saboteur", env.Domain, x)
			x.WakeAt(1)
			return f, nil
		},
	})
}

// mutants are faults of a kind each. They report whether they have been done.
var mutants = map[string]func(f *File) bool{
	"none":                       func(*File) bool { return true },
	"a live register is dropped": func(f *File) bool { f.rmu.vectors.all.Remove(1); return true },
	"no register is live":        func(f *File) bool { f.rmu.vectors.all = intervals.Set{}; return true },
	"an end bit is lost": func(f *File) bool {
		for e := range f.pcrf.tags {
			if t := &f.pcrf.tags[e]; t.Valid && t.End {
				t.End = false
				return true
			}
		}
		return false
	},
	"a pointer is stale": func(f *File) bool {
		for e := range f.pcrf.tags {
			if t := &f.pcrf.tags[e]; t.Valid && !t.End {
				t.Next = (t.Next + 1) % uint16(len(f.pcrf.tags))
				return true
			}
		}
		return false
	},
	"a tag has another register": func(f *File) bool {
		for e := range f.pcrf.tags {
			if t := &f.pcrf.tags[e]; t.Valid {
				t.Reg &^= 1
			}
		}
		return false
	},
	"late results go to one entry": func(f *File) bool {
		x := f.rmu
		for i := range x.awaited.slots {
			x.awaited.slots[i].entry = x.awaited.slots[len(x.awaited.slots)-1].entry
		}
		return false
	},
	"late results are lost": func(f *File) bool {
		for i, p := range f.rmu.where {
			if p == away {
				f.rmu.where[i] = dead
			}
		}
		return false
	},
	"a dead register is restored as live": func(f *File) bool {
		x := f.rmu
		if x.step == ending && len(x.move.in) > 0 {
			for r := range x.most { // with what a register has that nobody wrote
				x.Fill(x.move.in[0], r, version.Content{})
			}
		}
		return false
	},
	"a place is given twice": func(f *File) bool {
		x := f.rmu
		if x.step != ending || len(x.move.in) == 0 {
			return false
		}
		in := x.move.in[0]
		f.Index().Put(in, (x.At(in)+4)%8)
		return true
	},
}

// A fault is found by the operand check, or by a block that finds its state impossible.
func TestFaultsOfMovesAreFound(t *testing.T) {
	for name, do := range mutants {
		c := contracttest.Configs()["two schedulers, dual issue, slow units, little room"]
		s := Default()
		swapped(&s, &c, 6)
		found := func() (found bool) {
			defer func() { found = found || recover() != nil }()
			o, err := contracttest.Run(contracttest.With(sabotaged(do), s), c, 0)
			if err != nil {
				t.Fatal(err)
			}
			return len(o.Problems) > 0
		}()
		if found != (name != "none") {
			t.Errorf("%s: found %v", name, found)
		}
	}
}
