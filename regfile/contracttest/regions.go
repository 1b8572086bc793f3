package contracttest

import (
	"kumiko/components/wire"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// cut divides a program into regions of at most Regions registers, each as long as possible, and adds their
// register sets to sets.
func (c *Config) cut(steps []step, sets []intervals.Set) []intervals.Set {
	open := false
	for i := range steps {
		steps[i].group = regfile.NoGroup
		if c.Regions == 0 {
			continue
		}
		own := registersOf(&steps[i].inst.T)
		if !open || sets[len(sets)-1].Or(own).Len() > c.Regions {
			sets, open = append(sets, intervals.Set{}), true
		}
		last := len(sets) - 1
		sets[last] = sets[last].Or(own)
		steps[i].group = int32(last)
	}
	return sets
}

func registersOf(t *ir.Timing) (s intervals.Set) {
	for _, r := range t.Src[:t.NSrc] {
		s.Add(int(r))
	}
	for _, r := range t.Dst[:t.NDst] {
		s.Add(int(r))
	}
	return s
}

// latch is a self-closing gate (Gate.Shuts) of a scheduler.
type latch struct {
	in   wire.InPort[regfile.Open]
	on   regfile.EventSet
	shut []bool // by warp of the scheduler
}

// latchOf joins a scheduler to a self-closing gate. For any other gate it returns nil.
func (s *scheduler) latchOf(g *regfile.Gate) *latch {
	if g.Shuts == 0 {
		return nil
	}
	l := &latch{on: g.Shuts, shut: make([]bool, len(s.warps))}
	l.in.Init(&s.Comp, "Opens."+g.Reason, 2*len(s.warps))
	wire.Connect(g.Opens[s.index], &l.in, 1)
	return l
}

// takeOpens opens self-closing gates.
func (s *scheduler) takeOpens() {
	for _, l := range s.latches {
		if l == nil {
			continue
		}
		for m := l.in.Take(); m != nil; m = l.in.Take() {
			l.shut[int(m.Warp)/s.count] = false
		}
	}
}

// shutAt closes gates at an event of a warp.
func (s *scheduler) shutAt(e regfile.WarpEvent, w *warp) {
	for _, l := range s.latches {
		if l != nil && l.on.Has(e) {
			l.shut[int(w.context)/s.count] = true
		}
	}
}

// entered reports whether the operation inserted before a step, if any, has issued. It issues the inserted
// operation when possible.
func (s *scheduler) entered(w *warp, x *step) bool {
	if x.group == w.group || x.group == regfile.NoGroup {
		return true
	}
	before := step{inst: regfile.InsertedInst()}
	if w.reading > 0 || s.held(w, &before) || !s.room(regfile.WarpInserted) {
		return false
	}
	w.group = x.group
	s.notify(regfile.WarpInserted, regfile.WarpNotice{Warp: w.context, PC: uint32(x.group)})
	s.shutAt(regfile.WarpInserted, w)
	return !s.held(w, x)
}
