package sm

import "testing"

// pick lets a policy choose among slots, and tells it that the chosen one issued.
func pick(p Policy, slots ...int) int {
	var ready uint64
	for _, s := range slots {
		ready |= 1 << s
	}
	s := p.Pick(ready)
	p.Issued(s)
	return s
}

// Slots 5, 0 and 3 start in this order, so that neither age nor number alone
// explains the choices. Slot 0 issues while 5 waits; then 5 can go on, then 0
// waits, and last 5 has ended.
func TestPoliciesDifferInWhomTheyStayWithAndWhomTheyTakeNext(t *testing.T) {
	for name, want := range map[string][5]int{
		"gto":    {0, 0, 5, 5, 0}, // stays with 0 although 5 is older
		"oldest": {0, 5, 5, 5, 0},
		"lrr":    {0, 3, 5, 3, 0},
		"greedy": {0, 0, 3, 3, 3},
	} {
		p := newPolicy(name)
		for _, s := range []int{5, 0, 3} {
			p.Started(s)
		}
		got := [5]int{pick(p, 0, 3), pick(p, 0, 3, 5), pick(p, 3, 5), pick(p, 3, 5)}
		p.Finished(5)
		got[4] = pick(p, 0, 3)
		if got != want {
			t.Errorf("%s chose %v, want %v", name, got, want)
		}
		// Slot 5 has a new warp, the youngest now; that of 0 ends.
		p.Started(5)
		p.Finished(0)
		if s := pick(p, 3, 5); s != 3 {
			t.Errorf("%s takes %d before the older, or lower, 3", name, s)
		}
	}
}
