package regfile

import (
	"kumiko/components/op"
	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// Shared is the Sched of an execution unit serving every scheduler.
const Shared = -1

// Unit is an execution unit as seen by the register file.
type Unit struct {
	Name string // such as "SP[0]"
	Kind string // such as "sp"; collectors may be reserved by kind
	// Sched is the only scheduler served by the unit, or Shared.
	Sched int
	// Times are the latencies of operations in the unit; nil: not known beforehand.
	Times *op.Times
	// Fixed: the unit belongs to one scheduler and executes a class of fixed latency. Under control words its
	// results have result ports to themselves.
	Fixed bool
	// Holds has, by class, the units of the sub-core whose inputs an operation takes beside its own, a bit for each;
	// nil: none.
	Holds *[ir.NumClasses]uint64
}

// Env is the SM in which a register file is built.
type Env struct {
	Domain *wire.Domain
	Stats  *stats.Registry
	Name   string // of the SM, such as "GPU.SM[3]"
	SM     int    // its number

	Schedulers int
	IssueWidth int  // most operations issued by a scheduler per cycle
	Warps      int  // warp contexts; context w belongs to scheduler w mod Schedulers
	Slots      int  // warps with a scheduler slot at once; 0: each context has a slot
	Active     int  // most warps active at once, all schedulers together; Warps under a single-level scheduler
	TwoLevel   bool // schedulers choose among an active set of their warps; warps leave and enter it
	CTAs       int  // most CTAs resident at once; 0: not known, no more than Warps
	Registers  int  // most warp registers of a warp
	Capacity   int  // warp registers of the SM, all warps together; 0: Registers for each warp context
	// Pool is the number of bytes of the on-chip memory pool available to a launch for registers, for a kind with
	// Pools; 0: none.
	Pool int
	// Path, if not nil, builds the register file for a kind of residency to stand beside. nil: the file is of the
	// kind's Base.
	Path   func(*Env) (Design, error)
	Places int // added places for registers in the banks, beside those of the warp contexts
	// Vacates: warps give up registers while they run, as reported by the notices of issued instructions
	// (WarpNotice.From).
	Vacates    bool
	User       BankUser // nil: nothing but operands and results uses the banks
	Units      []Unit
	Writebacks int  // result ports per sub-core
	ReadNotice bool // the schedulers want Read notices
	// Controlled: control words decide when instructions issue. They count on fixed latencies, so an instruction
	// may be delayed on its way to its unit only by a gate with Stops. Results of units with Fixed arrive on the
	// result ports of a sub-core except the last, all other results on the last.
	Controlled bool
	// Values has the classes of the results in flight, by version, for a kind with Values; otherwise nil. The file
	// takes the class of each register written.
	Values *version.Values
	// Checker, if not nil, is to be called by the register file for every operand passed to a unit. The SM calls it
	// for every issue.
	Checker *version.Checker
}

// Check refuses impossible settings of an SM.
func (e *Env) Check() error {
	for _, c := range []struct {
		key       string
		v, lo, hi int
	}{
		{"schedulers", e.Schedulers, 1, 64}, {"issue_width", e.IssueWidth, 1, 8}, {"warps", e.Warps, 1, 1 << 16},
		{"registers per warp", e.Registers, 1, 256}, {"capacity", e.Capacity, 0, 1 << 24},
		{"units", len(e.Units), 1, 64}, {"writeback_ports", e.Writebacks, e.leastWritebacks(), 64},
	} {
		if c.v < c.lo || c.v > c.hi {
			return spec.Errorf(c.key, c.v, "%d to %d", c.lo, c.hi)
		}
	}
	for _, u := range e.Units {
		if u.Sched != Shared && (u.Sched < 0 || u.Sched >= e.Schedulers) {
			return spec.Errorf("unit "+u.Name, u.Sched, "a scheduler, 0 to %d, or shared", e.Schedulers-1)
		}
	}
	return nil
}

// leastWritebacks returns the fewest result ports of a sub-core. Control words need two: one for results of fixed
// latency and one for the others.
func (e *Env) leastWritebacks() int {
	if e.Controlled {
		return 2
	}
	return 1
}

// ChipEnv is the chip around a design's blocks outside the SMs.
type ChipEnv struct {
	Domain *wire.Domain // the chip's core clock; each SM has a domain and partition of its own
	Stats  *stats.Registry
	Name   string // of the chip, such as "GPU"
	// Latency is the least latency, in cycles, of links and taps between
	// partitions.
	Latency int
}
