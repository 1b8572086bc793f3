package maxwell

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/regfile/internal/subcore"
)

// SubCore is the register file of one scheduler.
type SubCore struct {
	wire.Comp

	Issue   wire.InPort[op.Op]
	Notices wire.InPort[regfile.WarpNotice] // a warp has started
	// Halt has every warp in the cycles in which nothing moves.
	Halt wire.Signal[regfile.WarpSet]

	spec   *Spec
	tell   func(regfile.Reading) // nil: nobody looks
	index  *bank.Index
	check  *version.Checker
	notice bool

	stages  stages
	units   []unit
	table   *subcore.Timetable // nil: whoever needs a result is told when it is there
	latches subcore.Latches
	cache   cache
	results subcore.Results
	counters
}

// everyone is the set of all warps.
var everyone = regfile.WarpSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0),
	^uint64(0)}

func newSubCore(env *regfile.Env, s *Spec, index *bank.Index, i int) *SubCore {
	x := &SubCore{spec: s, index: index, check: env.Checker, notice: env.ReadNotice}
	x.Init(fmt.Sprintf("%s.RegFile.SubCore[%d]", env.Name, i), env.Domain, x)
	x.Issue.Init(&x.Comp, "Issue", 2*env.IssueWidth)
	x.Notices.Init(&x.Comp, "Notices", 4)
	x.Halt.Init(&x.Comp, regfile.WarpSet{})
	checked := env.Checker != nil
	x.stages.init(s, checked)
	x.units = newUnits(env)
	x.latches.Init(&x.Comp, s.Latches, len(env.Units))
	x.cache.init(s)
	rs := subcore.ResultSpec{Banks: s.Banks, Queue: s.Queue, Forward: s.Forward, Ports: env.Writebacks}
	x.results.Init(&x.Comp, rs, index, env.Checker)
	if env.Controlled {
		x.table = subcore.NewTimetable(env, &rs, index, handOver)
		x.results.ByTimetable(x.table)
	}
	x.counters.register(x.Name(), s.Banks, env.IssueWidth, env.Stats)
	x.results.Register("maxwell", x.Name(), func(b int) string { return subcore.BankName(x.Name(), b) }, env.Stats)
	return x
}

// Observe implements regfile.Reader.
func (x *SubCore) Observe(f func(regfile.Reading)) { x.tell = f }

// Tick writes, reads, and moves operations on; then it says whether they will move in the next
// cycle.
func (x *SubCore) Tick(now wire.Cycle) bool {
	for n := x.Notices.Head(); n != nil; n = x.Notices.Head() {
		x.cache.forget(n.Warp)
		x.Notices.Pop()
	}
	again := x.results.Tick(now)
	x.enter(now)
	if x.stages.unread > 0 {
		x.readBanks(now)
	}
	if !x.stages.halted && x.stages.held > 0 {
		x.advance(now)
	}
	again = x.latches.Tick() || again
	x.halt(now)
	s := &x.stages
	if x.table != nil && s.halted {
		return true // until a unit is free
	}
	return again || s.unread > 0 || s.held > 0 && !s.halted || s.of[0] == none && x.Issue.Head() != nil
}

// halt decides whether anything moves in the next cycle.
func (x *SubCore) halt(now wire.Cycle) {
	s := &x.stages
	halted := x.stands(now)
	if halted == s.halted {
		return
	}
	s.halted = halted
	if halted {
		s.since = now
		x.Halt.Set(everyone)
	} else {
		x.halts += now - s.since
		x.Halt.Set(regfile.WarpSet{})
	}
}

// Waiting reports how much the sub-core holds.
func (x *SubCore) Waiting() string {
	held, waiting := x.stages.held+x.Issue.Len()+x.latches.Held(), x.results.Queued()
	if held+waiting == 0 {
		return ""
	}
	return fmt.Sprintf("%d operations before their units, %d results to be written", held, waiting)
}
