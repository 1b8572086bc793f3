package maxwell

import (
	"kumiko/components/wire"
	"kumiko/regfile/internal/subcore"
)

// SubCore is the register file of one scheduler.
type SubCore struct {
	subcore.Core // its gate is closed while the pipeline stands still

	spec   *Spec
	stages stages
	units  []unit `bits:"8"`
	cache  cache
	counters
}

// newSubCore builds the next sub-core of a file.
func newSubCore(f *File) *SubCore {
	env, s := f.Env, &f.spec
	x := &SubCore{spec: s, units: newUnits(env)}
	x.Init(&f.File, x)
	x.stages.init(s, env.Checker != nil)
	x.cache.init(s)
	x.counters.register(x.Name(), env.IssueWidth, env.Stats)
	x.Register("maxwell", "register-cycles in which an instruction waits for a bank that serves another register",
		env.Stats)
	return x
}

// Tick writes, reads, and moves operations on. Then it decides whether they move in the next cycle.
func (x *SubCore) Tick(now wire.Cycle) bool {
	for n := x.Notices.Take(); n != nil; n = x.Notices.Take() {
		x.cache.forget(n.Warp)
	}
	again := x.Results.Tick(now)
	x.enter(now)
	if x.stages.unread > 0 {
		x.readBanks(now)
	}
	if !x.stages.halted && x.stages.held > 0 {
		x.advance(now)
	}
	again = x.Latches.Tick() || again
	x.halt(now)
	s := &x.stages
	if x.Table != nil && s.halted {
		return true // until a unit is free
	}
	return again || s.unread > 0 || s.held > 0 && !s.halted || s.of[0] == none && x.Issue.Head() != nil
}

// halt decides whether the pipeline moves in the next cycle.
func (x *SubCore) halt(now wire.Cycle) {
	s := &x.stages
	halted := x.stands(now)
	if halted == s.halted {
		return
	}
	s.halted = halted
	if halted {
		s.since = now
	} else {
		x.halts += now - s.since
	}
	x.Halt(halted)
}

// Waiting describes the operations and results held by the sub-core.
func (x *SubCore) Waiting() string { return x.Report(x.stages.held) }
