package subcore

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/regfile"
)

// Core is the common part of a sub-core: the ports of one scheduler, latches and result queues. The block of a
// design embeds a Core, calls Init and ticks its parts.
type Core struct {
	wire.Comp

	Issue   wire.InPort[op.Op]
	Notices wire.InPort[regfile.WarpNotice] // a warp has started
	halt    wire.Signal[regfile.WarpSet]

	Index   *bank.Index
	Checker *version.Checker
	Notice  bool                  // the scheduler wants Read notices
	Notify  func(regfile.Reading) // nil: no observer
	Table   *Timetable            // nil: no control words count on latencies
	Latches Latches
	Results Results
	Banks   []BankCounts `soft:"statistics"`
}

// Init makes the core of the file's next sub-core. block is the embedding block.
func (c *Core) Init(f *File, block wire.Block) {
	env, s := f.Env, &f.spec
	c.Index, c.Checker, c.Notice, c.Banks = f.Index, env.Checker, env.ReadNotice, make([]BankCounts, s.Banks)
	c.Comp.Init(fmt.Sprintf("%s.RegFile.SubCore[%d]", env.Name, len(f.cores)), env.Domain, block)
	c.Issue.Init(&c.Comp, "Issue", 2*env.IssueWidth)
	c.Notices.Init(&c.Comp, "Notices", 4)
	c.halt.Init(&c.Comp, regfile.WarpSet{})
	c.Latches.Init(&c.Comp, s.Latches, len(env.Units))
	rs := ResultSpec{Banks: s.Banks, Queue: s.Queue, Forward: s.Forward, Late: s.Late, Ports: env.Writebacks,
		Halves: s.Halves, Kind: s.Kind}
	c.Results.Init(&c.Comp, rs, f.Index, env.Checker)
	if env.Controlled {
		c.Table = NewTimetable(env, &rs, f.Index, s.Ahead)
		c.Results.ByTimetable(c.Table)
	}
	f.cores = append(f.cores, c)
}

// everyone is the set of all warps.
var everyone = regfile.WarpSet{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0),
	^uint64(0)}

// Halt closes the gate to every warp from the next cycle on, or opens it.
func (c *Core) Halt(closed bool) {
	if closed {
		c.halt.Set(everyone)
	} else {
		c.halt.Set(regfile.WarpSet{})
	}
}

// Observe implements regfile.Reader.
func (c *Core) Observe(f func(regfile.Reading)) { c.Notify = f }

// Report describes the waits of a sub-core for Waiter, or returns the empty string. operations is the number of
// operations held outside Issue and the latches.
func (c *Core) Report(operations int) string {
	held, waiting := operations+c.Issue.Len()+c.Latches.Held(), c.Results.Queued()
	if held+waiting == 0 {
		return ""
	}
	return fmt.Sprintf("%d operations before their units, %d results to be written", held, waiting)
}

// BankNames returns the names of the banks within the sub-core in the statistics.
func (c *Core) BankNames() []string {
	var out []string
	for b := range c.Banks {
		out = append(out, c.bankName(b))
	}
	return out
}

func (c *Core) bankName(b int) string { return fmt.Sprintf("%s.Bank[%d]", c.Name(), b) }

// BankCounts counts the accesses of a bank.
type BankCounts struct{ Reads, GroupReads, Conflicts uint64 }

// Register registers the counters of bank accesses and results under a design's name. conflicts is the design's
// description of its conflicts.
func (c *Core) Register(design, conflicts string, reg *stats.Registry) {
	for b := range c.Banks {
		x, name := &c.Banks[b], c.bankName(b)
		reg.Count("regfile.bank.reads."+bank.Operand.String(), stats.Accesses,
			"warp registers read from banks, cause: operand", name, &x.Reads)
		reg.Count("regfile."+design+".conflicts", stats.Cycles, conflicts, name, &x.Conflicts)
		reg.Count("regfile.bank.group_reads", stats.Accesses,
			"128-bit groups of four lanes read from banks: those with an active lane", name, &x.GroupReads)
	}
	c.Results.register(design, c.Name(), c.bankName, reg)
}
