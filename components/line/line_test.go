package line

import (
	"testing"

	"pgregory.net/rapid"
)

func TestASingleRequesterNeverStands(t *testing.T) {
	l := New(4, 1)
	l.Stand(2, 0)
	if !l.Turn(2, 0) {
		t.Error("it is not its turn, and nobody else is there")
	}
	l.Leave(0)
}

func TestAResourceGoesToThoseWhoStandInTheirOrder(t *testing.T) {
	l := New(2, 3)
	for _, r := range []int{2, 0, 1} {
		l.Stand(1, r)
	}
	for _, want := range []int{2, 0, 1} {
		for r := range 3 {
			if l.at[r] == 1 && l.Turn(1, r) != (r == want) {
				t.Errorf("requester %d: its turn %v; the first in line is %d", r, r != want, want)
			}
		}
		l.Leave(want)
	}
	if l.first[1] != -1 {
		t.Error("somebody stands, and all have left")
	}
}

func TestTheLinesOfOtherResourcesAreTheirOwn(t *testing.T) {
	l := New(2, 3)
	l.Stand(0, 0)
	if !l.Turn(1, 1) || l.Turn(0, 1) || l.at[1] != 0 {
		t.Error("want requester 1 to have resource 1 at once, and to stand for resource 0")
	}
}

// The model is a list for each resource.
func TestLinesAreListsOfWhoeverJoinedInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		resources, requesters := rapid.IntRange(1, 4).Draw(t, "resources"), rapid.IntRange(2, 6).Draw(t, "requesters")
		l := New(resources, requesters)
		lists := make([][]int, resources)
		stands := map[int]int{}
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			who := rapid.IntRange(0, requesters-1).Draw(t, "who")
			at, ok := stands[who]
			if !ok {
				at = rapid.IntRange(0, resources-1).Draw(t, "resource")
			}
			want := len(lists[at]) == 0 || lists[at][0] == who
			if got := l.Turn(at, who); got != want {
				t.Fatalf("turn of %d at %d: %v, want %v; in line: %v", who, at, got, want, lists[at])
			}
			has := rapid.Bool().Draw(t, "has")
			switch {
			case want && has: // it gets what it asks for
				l.Leave(who)
				if ok {
					lists[at] = lists[at][1:]
					delete(stands, who)
				}
			case !ok:
				l.Stand(at, who)
				lists[at], stands[who] = append(lists[at], who), at
			}
		}
	})
}
