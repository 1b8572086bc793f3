package bow

import (
	"testing"

	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
)

// last marks the first source as read for the last time.
func last(in *ir.Inst) *ir.Inst {
	in.T.Dead = 1
	return in
}

// guarded makes an instruction execute in some lanes only.
func guarded(in *ir.Inst) *ir.Inst {
	in.T.Guarded = true
	return in
}

func TestAHintFollowsTheUsesInTheWindow(t *testing.T) {
	other := inst(9, 8)
	for name, x := range map[string]struct {
		rest []*ir.Inst
		want Hint
	}{
		"never read":                      {[]*ir.Inst{other, other, other}, Banks},
		"nothing follows":                 {nil, Banks},
		"read two later":                  {[]*ir.Inst{other, inst(9, 4)}, Both},
		"read three later":                {[]*ir.Inst{other, other, inst(9, 4)}, Banks},
		"read last two later":             {[]*ir.Inst{other, last(inst(9, 4))}, Window},
		"read last three later":           {[]*ir.Inst{other, other, last(inst(9, 4))}, Banks},
		"a read keeps it":                 {[]*ir.Inst{other, inst(9, 4), other, last(inst(9, 4))}, Window},
		"a read keeps it, not for long":   {[]*ir.Inst{other, inst(9, 4), other, other, last(inst(9, 4))}, Both},
		"overwritten":                     {[]*ir.Inst{other, inst(4, 8)}, Window},
		"overwritten by some lanes":       {[]*ir.Inst{other, guarded(inst(4, 8))}, Banks},
		"read and overwritten":            {[]*ir.Inst{inst(4, 4)}, Window},
		"read and overwritten by some":    {[]*ir.Inst{guarded(inst(4, 4))}, Both},
		"read, overwritten outside of it": {[]*ir.Inst{inst(9, 4), other, other, inst(4, 8)}, Both},
	} {
		var rest []ir.Inst
		for _, in := range x.rest {
			rest = append(rest, *in)
		}
		if got := hintOf(rest, 4, 3); got != x.want {
			t.Errorf("%s: hint %d, want %d", name, got, x.want)
		}
	}
}

func TestAnInstructionWithoutAPlanKeepsItsResult(t *testing.T) {
	var none *Plan
	if h := none.hint(3, 0); h != Window {
		t.Errorf("without a plan: hint %d, want %d", h, Window)
	}
	p := &Plan{Hints: [][ir.NumDests]Hint{{Both, Banks}}}
	if p.hint(0, 0) != Both || p.hint(0, 1) != Banks || p.hint(1, 0) != Window {
		t.Errorf("hints %d, %d, %d; want %d, %d, %d", p.hint(0, 0), p.hint(0, 1), p.hint(1, 0), Both, Banks, Window)
	}
}

// A result for the banks alone invalidates its lanes in the register's entry.
func TestAResultForTheBanksAloneLeavesNoStaleValue(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Writes = Hints })
	p := &Plan{Hints: make([][ir.NumDests]Hint, 1)} // PC 0: Banks
	r.issue(5, inst(4))
	r.w.plan = nil
	r.result(10, 4, all, 7)
	r.Domain.RunUntil(12)
	r.w.plan = p
	r.issue(15, inst(4))
	r.result(20, 4, 0xff, 8)
	r.Domain.RunUntil(25)
	e := r.w.find(1, 4)
	if e == nil || e.valid != 0xffffff00 {
		t.Fatalf("entry of R4 is %+v, want lanes 8 to 31", e)
	}
	a := r.issue(26, inst(-1, 4))
	r.ask(30, a, all)
	r.Run()
	if len(r.Write.Got) != 2 || r.Write.Got[1].Msg.Content.Lanes != 0xffffff00 || r.Write.Got[1].Cycle != 31 {
		t.Errorf("written %+v, want the result, then lanes 8 to 31 in cycle 31", r.Write.Got)
	}
	wiretest.Same(t, "read from the banks", []event{{31, 4}}, r.missed())
}
