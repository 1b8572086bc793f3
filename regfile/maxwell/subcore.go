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

	spec   *Spec
	index  *bank.Index
	check  *version.Checker
	notice bool

	slots   slots
	latches latches
	cache   cache
	results results
	counters
}

func newSubCore(env *regfile.Env, s *Spec, index *bank.Index, i int) *SubCore {
	x := &SubCore{spec: s, index: index, check: env.Checker, notice: env.ReadNotice,
		Ready: make([]wire.OutPort[op.Op], len(env.Units)), Result: make([]wire.InPort[op.Result], env.Writebacks)}
	x.Init(fmt.Sprintf("%s.RegFile.SubCore[%d]", env.Name, i), env.Domain, x)
	x.Issue.Init(&x.Comp, "Issue", 2*max(env.IssueWidth, s.Supply))
	for u := range x.Ready {
		x.Ready[u].Init(&x.Comp, fmt.Sprintf("Ready[%d]", u))
	}
	for r := range x.Result {
		x.Result[r].Init(&x.Comp, fmt.Sprintf("Result[%d]", r), 2)
	}
	x.Done.Init(&x.Comp, "Done")
	x.Read.Init(&x.Comp, "Read")
	x.Notices.Init(&x.Comp, "Notices", 4)
	checked := env.Checker != nil
	x.slots.init(s, checked)
	x.latches.init(s, len(env.Units))
	x.cache.init(s)
	x.results.init(s, index, checked)
	x.counters.register(x.Name(), env.Stats)
	return x
}

// Tick moves operations from stage to stage, the last stage first; writes go before reads.
func (x *SubCore) Tick(now wire.Cycle) bool {
	for n := x.Notices.Head(); n != nil; n = x.Notices.Head() {
		x.cache.forget(n.Warp)
		x.Notices.Pop()
	}
	again := x.write(now)
	if x.latches.units != 0 && x.dispatch(now) {
		again = true
	}
	if x.enter(now) {
		again = true
	}
	if x.slots.unread > 0 {
		x.readBanks()
	}
	if x.slots.n > 0 && x.release(now) {
		again = true
	}
	return again
}

// Waiting reports how much the sub-core holds.
func (x *SubCore) Waiting() string {
	held := x.slots.n + x.Issue.Len()
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
