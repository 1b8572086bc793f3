package maxwell

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/regfile"
)

// SubCore is the register file of one scheduler.
type SubCore struct {
	wire.Comp

	Issue   wire.InPort[op.Op]
	Ready   []wire.OutPort[op.Op] // by execution unit of the SM; those of other schedulers are not connected
	Result  []wire.InPort[op.Result]
	Done    wire.OutPort[op.Done]
	Read    wire.OutPort[op.Read]
	Notices wire.InPort[regfile.WarpNotice] // a warp has started
	// Halt has every warp in the cycles in which nothing moves.
	Halt wire.Signal[regfile.WarpSet]

	spec   *Spec
	index  *bank.Index
	check  *version.Checker
	notice bool

	stages  stages
	latches latches
	cache   cache
	results results
	counters
}

// everyone is the set of all warps.
var everyone = regfile.WarpSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0),
	^uint64(0)}

func newSubCore(env *regfile.Env, s *Spec, index *bank.Index, i int) *SubCore {
	x := &SubCore{spec: s, index: index, check: env.Checker, notice: env.ReadNotice,
		Ready: make([]wire.OutPort[op.Op], len(env.Units)), Result: make([]wire.InPort[op.Result], env.Writebacks)}
	x.Init(fmt.Sprintf("%s.RegFile.SubCore[%d]", env.Name, i), env.Domain, x)
	x.Issue.Init(&x.Comp, "Issue", 2*env.IssueWidth)
	for u := range x.Ready {
		x.Ready[u].Init(&x.Comp, fmt.Sprintf("Ready[%d]", u))
	}
	for r := range x.Result {
		x.Result[r].Init(&x.Comp, fmt.Sprintf("Result[%d]", r), 2)
	}
	x.Done.Init(&x.Comp, "Done")
	x.Read.Init(&x.Comp, "Read")
	x.Notices.Init(&x.Comp, "Notices", 4)
	x.Halt.Init(&x.Comp, regfile.WarpSet{})
	checked := env.Checker != nil
	x.stages.init(s, checked)
	x.latches.init(s, len(env.Units))
	x.cache.init(s)
	x.results.init(s, index, checked)
	x.counters.register(x.Name(), s.Banks, env.Stats)
	return x
}

// Tick writes, reads, and moves operations on; then it says whether they will move in the next
// cycle.
func (x *SubCore) Tick(now wire.Cycle) bool {
	for n := x.Notices.Head(); n != nil; n = x.Notices.Head() {
		x.cache.forget(n.Warp)
		x.Notices.Pop()
	}
	again := x.write(now)
	x.enter(now)
	if x.stages.unread > 0 {
		x.readBanks()
	}
	if !x.stages.halted && x.stages.held > 0 {
		x.advance(now)
	}
	if x.latches.owed > 0 {
		x.notify()
	}
	if x.latches.units != 0 && x.dispatch() {
		again = true
	}
	x.halt(now)
	s := &x.stages
	return again || s.unread > 0 || s.held > 0 && !s.halted || s.of[0] == none && x.Issue.Head() != nil
}

// halt decides whether anything moves in the next cycle.
func (x *SubCore) halt(now wire.Cycle) {
	s := &x.stages
	halted := x.stands()
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
	held := x.stages.held + x.Issue.Len()
	for u := range x.latches.of {
		held += x.latches.of[u].n
	}
	waiting := x.results.n + x.results.wait
	for r := range x.Result {
		waiting += x.Result[r].Len()
	}
	if held+waiting == 0 {
		return ""
	}
	return fmt.Sprintf("%d operations before their units, %d results to be written", held, waiting)
}
