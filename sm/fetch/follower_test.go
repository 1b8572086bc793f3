package fetch

import (
	"testing"

	"kumiko/sm/smtest"
)

// Contexts 0, 2 and 4 are of scheduler 0, and start in the order 4, 0, 2.
func TestFetchFollowsTheWarpThatIssuedLastThenTheYoungest(t *testing.T) {
	f := newFollower(1, Clients{Contexts: 6, Schedulers: 2})
	for _, c := range []int{4, 0, 2, 1, 3, 5} {
		f.started(c)
	}
	all := smtest.SetOf(0, 1, 2, 3, 4, 5)
	if c := f.pick(0, &all); c != 2 {
		t.Errorf("before any issue: %d, want the youngest, 2", c)
	}
	f.issued(4)
	f.issued(3)
	if c := f.pick(0, &all); c != 4 {
		t.Errorf("%d, want the one that issued last, 4", c)
	}
	full := smtest.SetOf(0, 1, 2, 3, 5)
	if c := f.pick(0, &full); c != 2 {
		t.Errorf("%d, want the youngest with room, 2", c)
	}
	none := smtest.SetOf(1, 3, 5)
	if c := f.pick(0, &none); c != -1 {
		t.Errorf("%d, want none", c)
	}
}

func TestFetchFollowsContext0(t *testing.T) {
	f := newFollower(1, Clients{Contexts: 4, Schedulers: 2})
	all := smtest.SetOf(0, 1, 2, 3)
	for c := range 4 {
		f.started(c)
	}
	f.issued(0)
	if c := f.pick(0, &all); c != 0 {
		t.Errorf("%d, want the one that issued last, 0", c)
	}
}
