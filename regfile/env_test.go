package regfile

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/components/spec/spectest"
)

func sm() Env {
	return Env{Schedulers: 2, IssueWidth: 1, Warps: 4, Registers: 32, Writebacks: 1,
		Units: []Unit{{Name: "SP", Sched: 1}}}
}

func TestAnSMIsWithinItsBounds(t *testing.T) {
	x := spectest.Of(t, sm, (*Env).Check)
	x.Within("schedulers", 1, 64, func(e *Env, v int) { e.Schedulers, e.Units[0].Sched = v, 0 })
	x.Within("issue_width", 1, 8, func(e *Env, v int) { e.IssueWidth = v })
	x.Within("warps", 1, 1<<16, func(e *Env, v int) { e.Warps = v })
	x.Within("registers per warp", 1, 256, func(e *Env, v int) { e.Registers = v })
	x.Within("capacity", 0, 1<<24, func(e *Env, v int) { e.Capacity = v })
	x.Within("units", 1, 64, func(e *Env, v int) { e.Units = make([]Unit, max(v, 0)) })
	x.Within("writeback_ports", 1, 64, func(e *Env, v int) { e.Writebacks = v })
}

// Of two schedulers, 0 and 1 exist; Shared is a unit of both.
func TestAUnitBelongsToASchedulerThatExistsOrToAll(t *testing.T) {
	for sched, fits := range map[int]bool{-2: false, Shared: true, 0: true, 1: true, 2: false} {
		e := sm()
		e.Units[0].Sched = sched
		err := e.Check()
		if fits != (err == nil) {
			t.Errorf("scheduler %d: error %v", sched, err)
		}
		if want := fmt.Sprintf("unit SP: found %d, expected a scheduler, 0 to 1", sched); !fits &&
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %q, want one that begins with %q", err, want)
		}
	}
}
