package contracttest

import (
	"math/rand/v2"
	"slices"

	"kumiko/components/op"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// Config is an SM with programs to run.
type Config struct {
	Schedulers int
	IssueWidth int
	Warps      int // warp contexts
	Registers  int
	Units      []regfile.Unit
	Writebacks int
	ReadNotice bool
	Room       int // capacity of the ports for operations and notices

	Ops      int     // operations per warp and program
	Programs int     // programs run by each warp context, one after the other
	Pool     int     // registers used by the programs: few make many hazards
	Diverge  float64 // probability of a partial mask for an operation
	Gap      int     // largest number of idle cycles before an operation
	Latency  int     // largest latency of a unit
	Interval int     // largest number of cycles between the entries of two operations
	Seed     uint64

	// Active is the number of warps active at once, all schedulers together; 0: all of them. Suspend is the
	// probability that a warp leaves the active set after issuing an operation; it comes back some cycles later,
	// when there is a place.
	Active  int
	Suspend float64

	// Regions, if not 0, divides the programs into regions of at most this many registers, each with an operation
	// inserted before it (regfile.Inserter). Plan makes the plan passed to the design before the run
	// (regfile.Planned) from the regions' register sets. The end of a program and the begin of the next one are in
	// different regions.
	Regions int
	Plan    func(sets []intervals.Set) any

	// InFile, if not 0, is the number of warps with registers in the file at once. The design is a Mover; the other
	// warps are swapped by turns, or begin when there is a place. Plan makes the plan passed to the design before
	// the run.
	InFile int

	// Known, if not 0, is the latency of every unit according to the register file. The real latencies of the units
	// differ, so that some results come sooner and some later.
	Known int
}

// known returns the units as described to the register file.
func (c *Config) known() []regfile.Unit {
	if c.Known == 0 {
		return c.Units
	}
	var times op.Times
	for i := range times.Class {
		times.Class[i] = op.Time{Latency: uint16(c.Known), Initiation: 1}
	}
	out := slices.Clone(c.Units)
	for i := range out {
		if out[i].Kind == "sp" { // of the others nothing is known
			out[i].Times = &times
		}
	}
	return out
}

// active returns the most warps active at once.
func (c *Config) active() int {
	if c.Active == 0 {
		return c.Warps
	}
	return max(c.Schedulers, c.Active/c.Schedulers*c.Schedulers)
}

// step is one operation of a program.
type step struct {
	inst *ir.Inst
	exec uint32
	unit uint8
	gap  uint32
	// quick: its unit takes one cycle for it, whatever its latency for others.
	quick bool
	group int32 // region, or regfile.NoGroup
}

// programs makes the programs of every warp context, and the register sets of their regions.
func (c *Config) programs() (out [][][]step, sets []intervals.Set) {
	rng, rng2, rng3 := rand.New(rand.NewPCG(c.Seed, 1)), rand.New(rand.NewPCG(c.Seed, 3)),
		rand.New(rand.NewPCG(c.Seed, 4))
	out = make([][][]step, c.Warps)
	for w := range out {
		for p := 0; p < c.Programs; p++ {
			steps := make([]step, c.Ops)
			for i := range steps {
				steps[i] = c.step(rng, w%c.Schedulers)
			}
			c.bursts(rng3, steps, w%c.Schedulers)
			c.annotate(rng2, steps)
			sets = c.cut(steps, sets)
			out[w] = append(out[w], steps)
		}
	}
	return out, sets
}

func (c *Config) step(rng *rand.Rand, sched int) step {
	in := &ir.Inst{}
	t := &in.T
	sources := []int{0, 1, 2, 2, 3, 3, 3, ir.NumSources}[rng.IntN(8)]
	dests := []int{0, 1, 1, 1, 1, 2, ir.NumDests}[rng.IntN(7)]
	for ; sources > 0; sources-- {
		t.Src[t.NSrc] = ir.RegID(rng.IntN(c.Pool))
		t.NSrc++
	}
	for ; dests > 0; dests-- {
		r := ir.RegID(rng.IntN(c.Pool))
		for i := 0; i < int(t.NDst); i++ {
			if t.Dst[i] == r {
				r = 0
				t.NDst = 0
			}
		}
		t.Dst[t.NDst] = r
		t.NDst++
	}
	if t.NDst == 0 && rng.IntN(2) == 0 {
		t.DstPreds = 1 // a result without registers, such as a comparison's
	}
	s := step{inst: in, exec: ^uint32(0), unit: c.unit(rng, sched)}
	if rng.Float64() < c.Diverge {
		s.exec = rng.Uint32() & rng.Uint32()
		if rng.IntN(8) == 0 {
			s.exec = 0
		}
	}
	if c.Gap > 0 && rng.IntN(4) == 0 {
		s.gap = uint32(rng.IntN(c.Gap + 1))
	}
	return s
}

// unit returns a random unit usable by the scheduler.
func (c *Config) unit(rng *rand.Rand, sched int) uint8 {
	for {
		u := rng.IntN(len(c.Units))
		if s := c.Units[u].Sched; s == regfile.Shared || s == sched {
			return uint8(u)
		}
	}
}

// units returns, for each scheduler, per units of kind sp, and one shared unit of kind ldst.
func units(schedulers, per int) []regfile.Unit {
	var out []regfile.Unit
	for s := range schedulers {
		for range per {
			out = append(out, regfile.Unit{Name: "SP", Kind: "sp", Sched: s})
		}
	}
	return append(out, regfile.Unit{Name: "LDST", Kind: "ldst", Sched: regfile.Shared})
}

// Configs returns the SMs used for the test of every design.
func Configs() map[string]Config {
	return map[string]Config{
		"four schedulers, dense": {
			Schedulers: 4, IssueWidth: 1, Warps: 16, Registers: 32, Units: units(4, 2), Writebacks: 2, ReadNotice: true,
			Room: 4,
			Ops:  60, Programs: 2, Pool: 24, Diverge: 0.3, Latency: 9, Interval: 1, Seed: 1,
		},
		"two schedulers, dual issue, slow units, little room": {
			Schedulers: 2, IssueWidth: 2, Warps: 10, Registers: 64, Units: units(2, 1), Writebacks: 1, ReadNotice: true,
			Room: 1,
			Ops:  80, Programs: 2, Pool: 10, Diverge: 0.8, Latency: 40, Interval: 6, Seed: 2,
		},
		"one scheduler, sparse": {
			Schedulers: 1, IssueWidth: 1, Warps: 3, Registers: 256, Units: units(1, 1), Writebacks: 1, Room: 2,
			Ops: 120, Programs: 3, Pool: 256, Diverge: 0.2, Gap: 200, Latency: 100, Interval: 20, Seed: 3,
		},
		"no notices, every register a hazard": {
			Schedulers: 2, IssueWidth: 1, Warps: 8, Registers: 8, Units: units(2, 2), Writebacks: 4, Room: 4,
			Ops: 100, Programs: 1, Pool: 3, Diverge: 0.5, Latency: 1, Interval: 1, Seed: 4,
		},
	}
}
