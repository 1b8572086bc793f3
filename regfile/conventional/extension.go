package conventional

import (
	"errors"
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/regfile"
)

// Extension is a design's addition to a sub-core: the ports of the design's own blocks. Every port is optional.
// Without a port the conventional blocks are joined as in a file without an extension.
//
// Contract: messages on Read and Write reach the arbiter one cycle later. The arbiter prefers writes to reads of
// the same cycle. So an extension with Request and Result must not send a read before a write of the same register
// if it received the write earlier or in the same cycle.
type Extension struct {
	// Request and Result receive the collectors' reads and the write-back stage's writes in place of the arbiter,
	// in the cycles in which the arbiter would see them. The extension passes them on by Read and Write.
	Request *wire.InPort[bank.Request]
	Result  *wire.InPort[bank.Access]

	// Read and Write lead to the arbiter. Reads and Writes are the most messages of a cycle there, in addition to
	// those of the collectors and of the write-back stage.
	Read   *wire.OutPort[bank.Request]
	Write  *wire.OutPort[bank.Access]
	Reads  int
	Writes int
	Causes uint8 // a bit per bank.Cause of these, beside operands and results

	// Granted and Access, a pair for each bank, stand between the arbiter and the banks. Granted receives the
	// arbiter's grants, and Access sends the banks their accesses.
	Granted []*wire.InPort[bank.Access]
	Access  []*wire.OutPort[bank.Access]
	More    int // further capacity of a bank, in accesses, beyond the needs of a stream from the arbiter
	Rows    int // entries of each bank; 0: as in Part.Index

	Stages int // cycles added by all of these ports between the collectors and the banks

	// Values, with the option ExtraOutput, receives the values read with To = Part.Collectors, in the order of
	// their bank.
	Values *wire.InPort[bank.Value]
	// Ends are all ends of the operand network, Part.Ends ports in place of the collectors'. The collectors then
	// receive everything from Operand. The values have the To of their reads, below Part.Outputs.
	Ends []*wire.InPort[bank.Value]
	Fill *wire.InPort[bank.Value] // a copy of every value received by the collectors from the banks

	// Operand sends values to the collectors: at most Operands per cycle, arriving after Latency cycles.
	Operand  *wire.OutPort[bank.Value]
	Operands int
	Latency  int

	Hints    bank.Hints                 // hints of requests, captured operands and writes
	Captured *wire.InPort[bank.Capture] // with Hints.Source and a bypass: captured operands

	user regfile.BankPorts // of Env.User
}

// Part describes a sub-core to its extension.
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
	Banks      int // banks of Index; banks working in step count as one
	Collectors int
	// RequestRoom and WriteRoom are the capacities needed by ports connected to the collectors' Request and to the
	// write-back stage's Write.
	RequestRoom int
	WriteRoom   int
	Writes      int // most registers sent by the write-back stage in one cycle
	// Outputs is the number of outputs of the operand network. Ends is the number of ports at its ends, and EndRoom
	// the capacity needed by each of them.
	Outputs int
	Ends    int
	EndRoom int
}

// Option modifies the file built by New.
type Option func(*builder)

// Extend adds an extension to each sub-core. f builds its blocks.
func Extend(f func(p *Part) (*Extension, error)) Option { return func(b *builder) { b.extend = f } }

// Outputs gives the operand network n outputs, for requesters in the extensions (Extension.Ends)
// instead of the collectors.
func Outputs(n int) Option { return func(b *builder) { b.outputs = n } }

// ExtraOutput adds an output to the operand network, for values read by the extensions (Extension.Values).
func ExtraOutput() Option { return func(b *builder) { b.extra = 1 } }

// check refuses an extension with inconsistent ports, in a file whose operand network has the given number of extra
// outputs.
func (x *Extension) check(p *Part, extra int) error {
	switch before := x.Request != nil; {
	case before != (x.Result != nil):
		return errors.New("one of Request and Result without the other")
	case before && (x.Read == nil || x.Write == nil || x.Stages < 1):
		return errors.New("ports Request and Result without Read and Write, or in less than one of Stages")
	case len(x.Granted) != len(x.Access) || len(x.Granted) != 0 && len(x.Granted) != p.Banks:
		return fmt.Errorf("%d ports Granted and %d Access, want one of each for the %d banks", len(x.Granted),
			len(x.Access), p.Banks)
	case x.Ends != nil && (len(x.Ends) != p.Ends || x.Operand == nil):
		return fmt.Errorf("%d Ends of the operand network, want %d, and Operand", len(x.Ends), p.Ends)
	case (x.Values != nil) != (extra > 0):
		return errors.New("one of Values and the option ExtraOutput without the other")
	case x.Fill != nil && x.Operand == nil:
		return errors.New("port Fill without Operand")
	}
	return nil
}

// use adds the ports of Env.User, if there is one.
func (x *Extension) use(p *Part) {
	if p.Env.User == nil {
		return
	}
	x.user = p.Env.User.Use(p.Index, uint8(p.Outputs))
	x.Values = x.user.Values
	x.Causes |= 1 << x.user.Cause
}
