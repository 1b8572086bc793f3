package conventional

import (
	"fmt"

	"kumiko/components/arbiter"
	"kumiko/components/bank"
	"kumiko/components/collector"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// Part is a sub-core in which a block is to stand between collectors and write-back on the one
// side and the banks' arbiter on the other.
type Part struct {
	Env    *regfile.Env
	Name   string // of the sub-core, such as "SM[0].RegFile.SubCore[1]"
	Number int    // of the sub-core
	// SubCores is the number of sub-cores. Schedulers is the number of schedulers of a
	// sub-core, and First the number of this sub-core's first one.
	SubCores   int
	Schedulers int
	First      int
	Index      *bank.Index
	Banks      int // banks that Index knows; banks that work in step count as one
	Collectors int
	// RequestRoom and WriteRoom are the capacities that ports connected to the
	// collectors' Request and to the write-back stage's Write need.
	RequestRoom int
	WriteRoom   int
	Writes      int // most registers that the write-back stage sends in one cycle
	// Outputs is the number of outputs of the operand network. Ends is the number of the ports
	// in which it ends, and EndRoom the capacity that each of these needs.
	Outputs int
	Ends    int
	EndRoom int
}

// Block is the block between, by its ports. It takes the collectors' requests and the
// write-back stage's writes instead of the arbiter, in the cycles in which the arbiter would
// see them.
//
// Contract: messages on Read and Main reach the arbiter one cycle later, and the arbiter lets
// writes go before reads of the same cycle. So the block must not send a read before a write
// of the same register that it has taken earlier, or in the same cycle.
type Block struct {
	Request *wire.InPort[bank.Request]  // from the collectors
	Write   *wire.InPort[bank.Access]   // from write-back
	Read    *wire.OutPort[bank.Request] // to the arbiter
	Main    *wire.OutPort[bank.Access]  // writes, to the arbiter
	Writes  int                         // most writes sent in one cycle
	Reads   int                         // most reads sent in one cycle; 0: as many as the collectors send
	Stages  int                         // cycles from a request's arrival to the arbiter
	Causes  uint8                       // a bit per bank.Cause of its writes, beside results

	// A block that has values itself gives them to the collectors: at most Operands per cycle,
	// which arrive after Latency cycles.
	Operand  *wire.OutPort[bank.Value] // nil: it has none
	Operands int
	Latency  int
	Words    bank.Words                 // words of requests, captured operands and writes for the block
	Captured *wire.InPort[bank.Capture] // with Words.Source: captured operands; used with a bypass
	Fill     *wire.InPort[bank.Value]   // values from the banks; nil: not needed
	// Values, if there are any, are the ends of the operand network: Part.Ends
	// ports, instead of those of the collectors, which then get everything by
	// Operand. Values have the To of their reads, which is below Part.Outputs.
	Values []*wire.InPort[bank.Value]
}

// Between makes the block for a sub-core.
type Between func(p *Part) (*Block, error)

// NewBetween builds a conventional register file in each of whose sub-cores a
// block stands before the arbiter.
func NewBetween(env *regfile.Env, s Spec, between Between) (*File, error) {
	b, err := prepare(env, s)
	if err != nil {
		return nil, err
	}
	b.between = between
	return b.file()
}

// NewAround is NewBetween for blocks in which the operand network ends (Block.Values):
// it has outputs for so many requesters, instead of the collectors.
func NewAround(env *regfile.Env, s Spec, outputs int, between Between) (*File, error) {
	b, err := prepare(env, s)
	if err != nil {
		return nil, err
	}
	b.between, b.outputs = between, outputs
	return b.file()
}

// chain builds the blocks of a sub-core: the plain stages, then the design's.
func (b *builder) chain(name string, i int, cs *collector.Spec) ([]*Block, error) {
	if err := cs.Check(); err != nil {
		return nil, err
	}
	var out []*Block
	part := b.part(name, i, cs)
	for k := range b.spec.OperandStages {
		out = append(out, newStage(fmt.Sprintf("%s.Stage[%d]", name, k), part))
	}
	if b.between != nil {
		x, err := b.between(part)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	for _, x := range out {
		cs.Stages += x.Stages
		if x.Words.Source != nil {
			cs.Words = &x.Words
		}
		cs.Fills = cs.Fills || x.Fill != nil
		if x.Values != nil {
			cs.Lines = 0
		}
		if x.Operand != nil {
			cs.Lines++
			cs.Room = max(cs.Room, (x.Latency+1)*x.Operands)
		}
		if x.Causes != 0 {
			b.bank.Causes |= 1<<bank.Operand | 1<<bank.Result | x.Causes
		}
	}
	if cs.Bypass != nil {
		// Operations that depend on a result reach their unit later by the stages, and so must
		// be issued that much sooner.
		cs.Bypass.Forward += cs.Stages
	}
	return out, nil
}

func (b *builder) part(name string, i int, cs *collector.Spec) *Part {
	return &Part{
		Env: b.env, Name: name, Number: i, SubCores: b.subCores, Schedulers: b.perSub, First: i * b.perSub,
		Index: b.index, Banks: b.groups,
		Collectors: cs.Collectors(), RequestRoom: cs.RequestRoom(), WriteRoom: writeRoom(b.env.Writebacks, b.ahead),
		Writes:  max(2*b.env.Writebacks, ir.NumDests),
		Outputs: b.networkOutputs(cs), Ends: 1 + cs.Lines, EndRoom: cs.Room,
	}
}

// readRoom is the capacity of the arbiter's port for reads: two cycles' worth of what comes.
func readRoom(chain []*Block, collectors int) int {
	if n := len(chain); n > 0 {
		return max(collectors, 2*chain[n-1].Reads)
	}
	return collectors
}

// arbiterRoom is the capacity of the arbiter's port for writes.
func (b *builder) arbiterRoom(chain []*Block) int {
	if n := len(chain); n > 0 {
		return 2 * chain[n-1].Writes
	}
	return writeRoom(b.env.Writebacks, b.ahead)
}

// joinChain joins the collectors and the write-back stage through the blocks to
// the arbiter.
func (b *builder) joinChain(c *subCore, a *arbiter.Banks) {
	read, write, latency := &c.collectors.Request, &c.writeback.Write, b.ahead+1
	lines := len(c.collectors.Lines)
	if c.guest != nil && c.guest.Operand != nil {
		lines--
	}
	var ends []*wire.InPort[bank.Value] // of the operand network
	for _, x := range c.chain {
		wire.Connect(read, x.Request, 1)
		wire.Connect(write, x.Write, latency)
		read, write, latency = x.Read, x.Main, 1
		if x.Operand != nil {
			lines--
			wire.Connect(x.Operand, &c.collectors.Lines[lines], x.Latency)
		}
		if x.Captured != nil {
			wire.Connect(&c.collectors.Captured, x.Captured, 1)
		}
		if x.Words.Result != nil {
			c.writeback.word = x.Words.Result
		}
		if x.Fill != nil {
			wire.Connect(&c.collectors.Fill, x.Fill, 1)
		}
		if x.Values != nil {
			ends = x.Values
		}
	}
	if ends == nil {
		ends = append(ends, &c.collectors.Operand)
		for i := range lines {
			ends = append(ends, &c.collectors.Lines[i])
		}
	}
	c.network.join(ends)
	wire.Connect(read, &a.Read[0], 1)
	wire.Connect(write, &a.Write[0], latency)
}
