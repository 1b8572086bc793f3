package rules

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/ir"
)

// Family is what architectures with one encoding have in common.
type Family struct {
	// Architectures have their code understood, each with the place of the driver's constants in bank 0.
	Architectures map[int]Driver
	// Rules has a rule for each opcode. Twin, if not nil, names the opcode whose rule another one shares.
	Rules map[string]Rule
	Twin  func(opcode string) (of string, uniform bool)
	Preds int // the number of predicates
	// Flags: a destination with the suffix CC writes the flags as well.
	Flags bool
	// Bundled: addresses of code count the control words, as before Volta.
	Bundled bool
	// ResultPred is the predicate where a reduction at a barrier leaves its result until B2R reads it.
	ResultPred ir.Pred
	// SingleHalves: a constant among operands of halves is a single, and both halves of the operand are the half with
	// its value. ptxas puts 0x3dccc000 into the bank for the half 0x2e66.
	SingleHalves bool
}

// Driver has the places, in bank 0, of the driver's constants in front of the parameters, as code of ptxas 11.8 uses
// them.
type Driver struct {
	BlockSize int64 // x, y, z
	GridSize  int64 // x, y, z
	// The generic addresses of three windows. In bank 0, those of shared and of local memory have WindowWords words,
	// and that of bank 3 has two.
	SharedWindow, LocalWindow, ConstWindow int64
	WindowWords                            int
	WindowHigh                             int64 // the upper words of both addresses, if apart; 0: they are not
	StackTop                               int64 // the first value of R1
	// SystemShared is the size of the system's shared memory in front of a kernel's. The cubin counts both.
	SystemShared int
	// Descriptor is for the cache policy of memory accesses, which changes no result; 0: there is none.
	Descriptor int64
}

// Builder makes one instruction after the other.
type Builder struct {
	File     *listing.File
	Fn       *listing.Function
	K        *ir.Kernel
	At       int // the number of the instruction
	From     *listing.Inst
	In       *ir.Inst
	Has      map[string]bool // the suffixes
	Uniform  bool
	SetFlags bool   // a destination has the suffix CC
	FlagsOf  string // the opcode of the last instruction with one
	Returns  []int  // the instructions behind calls

	family  *Family
	driver  Driver
	module  *ir.Module
	literal int // offset of bank 2 in the kernel's constant bank
}

// Supports reports whether the code of an architecture is understood.
func (f *Family) Supports(arch int) bool {
	_, ok := f.Architectures[arch]
	return ok
}

// Kernel makes a kernel of a function. Its parameters and the places of its constants are those of the kernel of the
// same name in m, the module of the PTX it was made from. The error lists every instruction that is not understood.
func (f *Family) Kernel(file *listing.File, name string, m *ir.Module) (*ir.Kernel, error) {
	fn, like := file.Function(name), m.Kernel(name)
	switch {
	case !f.Supports(file.Arch):
		return nil, fmt.Errorf("%s: machine code of sm_%d, expected %s", file.Name, file.Arch, f.Names())
	case fn == nil:
		return nil, fmt.Errorf("%s: no kernel %s", file.Name, name)
	case like == nil:
		return nil, fmt.Errorf("%s: kernel %s is not in the PTX %s", file.Name, name, m.File)
	case fn.ParamBytes != like.ParamBytes:
		return nil, fmt.Errorf("%s:%d: kernel %s has %d bytes of parameters, and %d in the PTX", file.Name, fn.Line,
			name, fn.ParamBytes, like.ParamBytes)
	}
	stack := fn.StackSize
	if stack == listing.AnyStack {
		stack = anyStack
	}
	if stack < 0 || stack > ir.MaxLocalBytes {
		return nil, fmt.Errorf("%s:%d: kernel %s has %d bytes of local memory, expected at most %d", file.Name, fn.Line,
			name, stack, ir.MaxLocalBytes)
	}
	d := f.Architectures[file.Arch]
	k := &ir.Kernel{Name: name, File: file.Name, Params: like.Params, ParamBytes: like.ParamBytes,
		SharedBytes: max(0, fn.SharedBytes-d.SystemShared), SystemShared: d.SystemShared, LocalBytes: stack,
		MaxThreads: like.MaxThreads, ReqThreads: like.ReqThreads, MinCTAs: like.MinCTAs, NumRegs: fn.Registers,
		NumPreds: f.Preds, Footprint: fn.Registers, Allocated: true, Converges: true, Bundled: f.Bundled}
	b := &Builder{File: file, Fn: fn, K: k, family: f, driver: d, module: m}
	if err := b.bank(m); err != nil {
		return nil, err
	}
	return k, b.instructions()
}

// anyStack has the bytes of a thread's stack if functions call themselves: as many as --max-stack-bytes without being
// given.
const anyStack = 16 << 10

// Names lists the architectures.
func (f *Family) Names() string {
	var names []string
	for _, n := range slices.Sorted(maps.Keys(f.Architectures)) {
		names = append(names, fmt.Sprintf("sm_%d", n))
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// instructions makes the instructions.
func (b *Builder) instructions() error {
	f, fn, k := b.File, b.Fn, b.K
	b.calls()
	k.Insts = make([]ir.Inst, len(fn.Insts))
	var errs []error
	for i := range fn.Insts {
		if err := b.build(i); err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %s: %w", f.Name, fn.Insts[i].Line, fn.Insts[i].Mnemonic, err))
		}
	}
	if errs != nil {
		return errors.Join(errs...)
	}
	for i := range k.Insts {
		ir.SetTiming(&k.Insts[i])
	}
	return nil
}

// calls notes where functions return to.
func (b *Builder) calls() {
	for i := range b.Fn.Insts {
		if opcode, _, _ := strings.Cut(b.Fn.Insts[i].Mnemonic, "."); opcode == "CALL" || opcode == "CAL" {
			b.Returns = append(b.Returns, i+1)
		}
	}
}

// bank lays out the constant bank: the module's variables where the code expects them, and the literals behind.
func (b *Builder) bank(m *ir.Module) error {
	for _, c := range b.File.Constants {
		v := variable(m, ir.Const, c.Name)
		if v == nil || v.Size > c.Size {
			return fmt.Errorf("%s: the constant %s of %d bytes is not in the PTX", b.File.Name, c.Name, c.Size)
		}
		b.K.Bank = append(b.K.Bank, ir.BankPart{Offset: c.Offset, From: int(v.Address), Size: v.Size})
		b.literal = max(b.literal, c.Offset+c.Size)
	}
	b.literal = (b.literal + 15) &^ 15
	b.K.ConstBytes = b.literal + len(b.Fn.Literals)
	if len(b.Fn.Literals) > 0 {
		b.K.Bank = append(b.K.Bank, ir.BankPart{Offset: b.literal, Size: len(b.Fn.Literals), Data: b.Fn.Literals})
	}
	return nil
}

func variable(m *ir.Module, space ir.Space, name string) *ir.Var {
	for i := range m.Vars {
		if v := &m.Vars[i]; v.Name == name && v.Space == space {
			return v
		}
	}
	return nil
}

// build makes instruction i.
func (b *Builder) build(i int) (err error) {
	b.At, b.From, b.In = i, &b.Fn.Insts[i], &b.K.Insts[i]
	parts := strings.Split(b.From.Mnemonic, ".")
	opcode := parts[0]
	r, ok := b.family.Rules[opcode]
	b.Uniform, b.SetFlags = false, false
	if twin := b.family.Twin; twin != nil {
		var of string
		if of, b.Uniform = twin(opcode); of != "" {
			r, ok = b.family.Rules[of]
		}
	}
	if !ok {
		return errors.New("the opcode is not supported")
	}
	*b.In = ir.Inst{Op: r.Op, Type: r.Type, SrcType: r.Src, Mods: r.Mods, Line: int32(b.From.Line), Uniform: b.Uniform,
		Control: b.From.Control}
	if b.In.Guard, err = b.guard(); err != nil {
		return err
	}
	if b.In.Guard.Kind == ir.KindImm { // @!PT: never executed
		*b.In = ir.Inst{Op: ir.OpNop, Line: b.In.Line, Control: b.In.Control}
		return nil
	}
	if err := b.suffixes(&r, parts[1:]); err != nil {
		return err
	}
	if r.Operands != "" {
		if err := b.Operands(r.Operands); err != nil {
			return err
		}
	} else if r.Then == nil && len(b.From.Operands) > 0 {
		return fmt.Errorf("%d operands, expected none", len(b.From.Operands))
	}
	if r.Then != nil {
		err = r.Then(b)
	}
	if b.SetFlags {
		if b.FlagsOf = opcode; err == nil && !setsFlags(b.In) {
			err = errors.New("flags of its result are not supported")
		}
	}
	return err
}

// setsFlags reports whether an instruction writes a flag. The flags are predicates behind those that a program names.
func setsFlags(in *ir.Inst) bool {
	return slices.ContainsFunc(in.Dst, func(o ir.Operand) bool {
		return o.Kind == ir.KindPred && o.Pred() >= ir.UniformPreds
	})
}

// guard returns the guard; none where it is always true.
func (b *Builder) guard() (ir.Operand, error) {
	g := b.From.Guard
	if g.Kind == listing.None || g.N == listing.True && !g.Not {
		return ir.Operand{}, nil
	}
	return b.Predicate(&g)
}

// suffixes applies the suffixes of the mnemonic.
func (b *Builder) suffixes(r *Rule, names []string) error {
	b.Has = map[string]bool{}
	for _, n := range names {
		b.Has[n] = true
		if !strings.Contains(" "+r.Suffixes+" ", " "+n+" ") {
			return fmt.Errorf("the suffix .%s is not supported", n)
		}
		if f := effects[n]; f != nil {
			f(b.In)
		}
	}
	return nil
}

// Operands resolves the operands by a rule's letters.
func (b *Builder) Operands(letters string) error { return b.Resolve(letters, b.From.Operands) }

// Resolve resolves operands by a rule's letters.
func (b *Builder) Resolve(letters string, ops []listing.Operand) error {
	carries := b.In.Mods.CarryIn || b.Has["EX"]
	for at := range letters {
		letter := letters[at]
		if letter == 'c' && !carries {
			continue
		}
		if letter == 'n' {
			b.In.Src = append(b.In.Src, ir.Operand{})
			continue
		}
		if letter == 'o' && (len(ops) == 0 || ops[0].Kind != listing.Pred && ops[0].Kind != listing.UPred) {
			b.In.Dst = append(b.In.Dst, ir.Operand{})
			continue
		}
		if letter == 'c' && len(ops) == 0 {
			continue // a second carry that is not printed
		}
		if len(ops) == 0 {
			return fmt.Errorf("%d operands, expected more", len(b.From.Operands))
		}
		if err := b.one(letter, ops); err != nil {
			return err
		}
		ops = ops[b.used(letter, ops):]
	}
	if len(ops) > 0 {
		return fmt.Errorf("%d operands, expected %d", len(b.From.Operands), len(b.From.Operands)-len(ops))
	}
	return nil
}

// used returns the number of operands in the listing of one operand: two for a pair of halves.
func (b *Builder) used(letter byte, ops []listing.Operand) int {
	if letter == 's' && b.In.Type == ir.F16x2 && ops[0].Kind == listing.Float {
		return 2
	}
	return 1
}

// one resolves one operand.
func (b *Builder) one(letter byte, ops []listing.Operand) error {
	o, err := ir.Operand{}, error(nil)
	switch letter {
	case 'd':
		o, err = b.Register(&ops[0], 1)
	case 'w':
		o, err = b.Register(&ops[0], 2)
	case 'p', 'o':
		o, err = b.Target(&ops[0])
		if letter == 'o' && o.Kind != ir.KindNone {
			b.In.Mods.CarryOut = true
		}
	case 'q', 'c':
		o, err = b.Predicate(&ops[0])
	case 's':
		if b.used(letter, ops) == 2 {
			o, err = halves(ops)
			break
		}
		o, err = b.Source(&ops[0], 1)
	case 'l':
		o, err = b.Source(&ops[0], 2)
	case 'i':
		o, err = ir.Imm(uint64(uint32(ops[0].Value)), 1), nil
		if ops[0].Kind != listing.Int {
			err = errors.New("an operand that is not a number, expected one")
		}
	}
	if err != nil {
		return err
	}
	if strings.IndexByte("dwpo", letter) >= 0 {
		b.In.Dst = append(b.In.Dst, o)
	} else {
		b.In.Src = append(b.In.Src, o)
	}
	return nil
}
