package subcore

import (
	"fmt"
	"math/bits"

	"kumiko/components/arbiter"
	"kumiko/components/bank"
	"kumiko/components/op"
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// Spec is the shape of a file of sub-cores.
type Spec struct {
	Banks     int    // of a sub-core
	BankIndex string // where registers lie: the setting bank_index
	Latches   int    // of each execution unit
	Queue     int    // capacity of a bank's result queue, in registers, including those not yet due
	Forward   int    // cycles from a result's arrival to its value
	// Late reports, by timing class, whether results stay out of the queues (ResultSpec).
	Late   *[ir.NumClasses]bool
	Halves int // ResultSpec
	Kind   func(in *ir.Inst) uint8
	// Ahead is the most cycles between an operation's entry in the timetable and its departure for its unit.
	Ahead int
	Reuse bool // the sub-cores have caches, to be cleared for new warps
}

// Serves has the services of a file of sub-cores. Lacks has the reasons for the others.
var (
	Serves = []regfile.Service{regfile.Switching, regfile.Vacating}
	Lacks  = map[regfile.Service]string{
		regfile.Placing: "a register has a place in its banks by its number and that of its warp alone",
		regfile.Moving:  "nothing but operands and results has ports at its banks"}
)

// File is the register file of an SM: a sub-core for each scheduler. The file of a design embeds it, and calls
// Setup, Core.Init for each scheduler, and Join.
type File struct {
	Env   *regfile.Env
	Index *bank.Index

	spec  Spec
	cores []*Core
	ports regfile.Ports
}

// Setup prepares the file for its sub-cores.
func (f *File) Setup(env *regfile.Env, s Spec) error {
	if err := env.Check(); err != nil {
		return err
	}
	if err := CheckTimed(env, s.Queue, s.Forward); err != nil {
		return err
	}
	policy, err := bank.ParsePolicy("bank_index", s.BankIndex)
	if err != nil {
		return err
	}
	f.Env, f.spec = env, s
	f.Index, err = bank.NewIndex(policy, s.Banks, env.Warps, env.Registers, env.Schedulers)
	return err
}

// Join makes the ports of the file. A unit of one scheduler gets its sub-core's port, and a unit of
// all schedulers the port of an arbiter over the sub-cores.
func (f *File) Join() {
	env, n := f.Env, len(f.cores)
	p := regfile.Ports{Ready: make([]*wire.OutPort[op.Op], len(env.Units)), SubCores: n, Forward: f.spec.Forward}
	for _, c := range f.cores {
		p.Issue = append(p.Issue, &c.Issue)
		p.Done = append(p.Done, &c.Results.Done)
		if env.ReadNotice {
			p.Read = append(p.Read, &c.Latches.Read)
		}
		for r := range c.Results.In {
			p.Result = append(p.Result, &c.Results.In[r])
		}
	}
	for u, unit := range env.Units {
		switch {
		case unit.Sched != regfile.Shared:
			p.Ready[u] = &f.cores[unit.Sched].Latches.Ready[u]
		case n == 1:
			p.Ready[u] = &f.cores[0].Latches.Ready[u]
		default:
			x := arbiter.NewRoundRobin[op.Op](fmt.Sprintf("%s.RegFile.Dispatch[%d]", env.Name, u), env.Domain,
				arbiter.FaninSpec{Inputs: n, Capacity: 2, Stat: "regfile.dispatch"}, env.Stats)
			for i, c := range f.cores {
				wire.Connect(&c.Latches.Ready[u], &x.In[i], 1)
			}
			p.Ready[u] = &x.Out
		}
	}
	f.ports = p
}

// DataPorts implements regfile.Design.
func (f *File) DataPorts() *regfile.Ports { return &f.ports }

// Begin implements regfile.Planned: where registers are dealt linearly to banks, it takes the number of registers
// per warp from the launch.
func (f *File) Begin(plan any) {
	if l, ok := plan.(*regfile.Launch); ok {
		f.Index.Registers(l.Registers)
	}
}

// Notices returns the ports on which caches are notified of new warps.
func (f *File) Notices() regfile.Notices {
	if !f.spec.Reuse {
		return regfile.Notices{}
	}
	n := regfile.Notices{Events: regfile.Events(regfile.WarpStarted)}
	for _, c := range f.cores {
		n.Warp = append(n.Warp, &c.Notices)
	}
	return n
}

// Gate returns the gate of the sub-cores (Core.Halt). It stops stall counts while it is closed.
func (f *File) Gate(reason, doc string) regfile.Gate {
	g := regfile.Gate{Reason: reason, Doc: doc, Stops: true}
	for _, c := range f.cores {
		g.Parts = append(g.Parts, &c.halt)
	}
	return g
}

// registerBits is the size of a warp register.
const registerBits = 8 * bank.RegisterBytes

// plainOperands is the number of registers in a latch: three operands.
const plainOperands = 3

// State returns the storage of the banks, of the latches and of the result queues. ports describes the ports of a
// bank.
func (f *File) State(ports string) []regfile.State {
	banks, latches := len(f.cores)*f.spec.Banks, f.latched()*f.spec.Latches
	return []regfile.State{
		{Block: "Bank", What: "registers", Count: banks, Bits: f.capacity() * registerBits, Ports: ports,
			Kind: storage.SRAM, Width: registerBits},
		{Block: "Latch", What: "operands", Count: latches, Bits: latches * plainOperands * registerBits,
			Kind: storage.FlipFlop, Width: plainOperands * registerBits},
		{Block: "Result queue", What: "registers", Count: banks,
			Bits: banks * f.spec.Queue * (registerBits + f.TagBits()), Kind: storage.FlipFlop,
			Width: registerBits + f.TagBits()},
	}
}

// TagBits returns the size of a tag that identifies a register in a sub-core, in bits: the number of the warp among the
// sub-core's, and the number of the register.
func (f *File) TagBits() int {
	return bits.Len(uint(max(f.Env.Warps/f.Env.Schedulers-1, 0))) + bits.Len(uint(f.Env.Registers-1))
}

// latched returns the number of units with latches, all sub-cores together.
func (f *File) latched() int {
	units := 0
	for _, u := range f.Env.Units {
		if u.Sched == regfile.Shared {
			units += len(f.cores)
		} else {
			units++
		}
	}
	return units
}

// capacity returns the number of warp registers in the banks.
func (f *File) capacity() int {
	if f.Env.Capacity == 0 {
		return f.Env.Warps * f.Env.Registers
	}
	return f.Env.Capacity
}
