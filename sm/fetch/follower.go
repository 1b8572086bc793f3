package fetch

import (
	"math/bits"

	"kumiko/sm/message"
)

// follower chooses, for each scheduler, the last warp to issue if its buffer has room, and otherwise the youngest
// warp with room (Huerta et al., MICRO 2025, section 5.2).
type follower struct {
	each   int               // warps served per scheduler and cycle
	words  int               // of sets with members
	last   []int             `bits:"1+log(age)"` // by scheduler: the last context to issue, or -1
	own    []message.WarpSet `soft:"constants"`  // by scheduler: its contexts
	age    []uint64          `bits:"log(age)"`   // by context: number of its warp's start
	starts uint64
}

func newFollower(each int, n Clients) *follower {
	f := &follower{each: each, words: (n.Contexts + 63) / 64, last: make([]int, n.Schedulers),
		own: make([]message.WarpSet, n.Schedulers),
		age: make([]uint64, n.Contexts)}
	for s := range f.last {
		f.last[s] = -1
	}
	for c := range n.Contexts {
		f.own[c%n.Schedulers].Add(c)
	}
	return f
}

func (f *follower) issued(context int) { f.last[context%len(f.last)] = context }

func (f *follower) started(context int) {
	f.starts++
	f.age[context] = f.starts
}

// pick chooses among the scheduler's warps of a set, or returns -1.
func (f *follower) pick(sched int, of *message.WarpSet) int {
	if c := f.last[sched]; c >= 0 && of.Has(c) {
		return c
	}
	best, age := -1, uint64(0)
	for i, own := range f.own[sched][:f.words] {
		for m := own & of[i]; m != 0; m &= m - 1 {
			if c := i<<6 | bits.TrailingZeros64(m); f.age[c] >= age {
				best, age = c, f.age[c]
			}
		}
	}
	return best
}

// fetchFollowing serves each scheduler's warps.
func (f *Fetch) fetchFollowing() {
	unserved := f.want
	for s := range f.Out {
		for range f.follow.each {
			c := f.follow.pick(s, &unserved)
			if c < 0 {
				break
			}
			unserved.Remove(c)
			f.bring(c, &f.Out[s])
		}
	}
}
