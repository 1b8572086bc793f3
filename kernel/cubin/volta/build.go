package volta

import (
	"errors"
	"fmt"
	"strings"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/ir"
)

// builder makes one instruction.
type builder struct {
	file    *listing.File
	fn      *listing.Function
	k       *ir.Kernel
	from    *listing.Inst
	in      *ir.Inst
	has     map[string]bool // the suffixes
	uniform bool
	literal int   // offset of bank 2 in the kernel's constant bank
	returns []int // the instructions behind calls
}

// preds is the number of predicates: P0 to P6 and UP0 to UP6.
const preds = ir.UniformPreds + 7

// Architectures names those whose code is understood.
const Architectures = "sm_70, sm_72, sm_75, sm_80, sm_86 or sm_87"

// Supports reports whether the code of an architecture is understood.
func Supports(arch int) bool {
	switch arch {
	case 70, 72, 75, 80, 86, 87:
		return true
	}
	return false
}

// Kernel makes a kernel of a function. Its parameters and the places of its constants are those of the kernel of the
// same name in m, the module of the PTX it was made from. The error lists every instruction that is not understood.
func Kernel(f *listing.File, name string, m *ir.Module) (*ir.Kernel, error) {
	fn, like := f.Function(name), m.Kernel(name)
	switch {
	case !Supports(f.Arch):
		return nil, fmt.Errorf("%s: machine code of sm_%d, expected %s", f.Name, f.Arch, Architectures)
	case fn == nil:
		return nil, fmt.Errorf("%s: no kernel %s", f.Name, name)
	case like == nil:
		return nil, fmt.Errorf("%s: kernel %s is not in the PTX %s", f.Name, name, m.File)
	case fn.ParamBytes != like.ParamBytes:
		return nil, fmt.Errorf("%s:%d: kernel %s has %d bytes of parameters, and %d in the PTX", f.Name, fn.Line, name,
			fn.ParamBytes, like.ParamBytes)
	}
	k := &ir.Kernel{Name: name, File: f.Name, Params: like.Params, ParamBytes: like.ParamBytes,
		SharedBytes: fn.SharedBytes, LocalBytes: fn.StackSize, MaxThreads: like.MaxThreads, ReqThreads: like.ReqThreads,
		MinCTAs: like.MinCTAs, NumRegs: fn.Registers, NumPreds: preds, Footprint: fn.Registers, Allocated: true,
		Converges: true}
	b := &builder{file: f, fn: fn, k: k}
	if err := b.bank(m); err != nil {
		return nil, err
	}
	b.calls()
	k.Insts = make([]ir.Inst, len(fn.Insts))
	var errs []error
	for i := range fn.Insts {
		if err := b.build(i); err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %s: %w", f.Name, fn.Insts[i].Line, fn.Insts[i].Mnemonic, err))
		}
	}
	if errs != nil {
		return nil, errors.Join(errs...)
	}
	if k.NumRegs > 256 {
		return nil, fmt.Errorf("%s:%d: kernel %s has %d registers and uniform registers up to UR%d, "+
			"expected at most 256", f.Name, fn.Line, name, fn.Registers, k.NumRegs-fn.Registers-1)
	}
	for i := range k.Insts {
		ir.SetTiming(&k.Insts[i])
	}
	return k, nil
}

// bank lays out the constant bank: the module's variables where the code expects them, and the literals behind.
func (b *builder) bank(m *ir.Module) error {
	for _, c := range b.file.Constants {
		v := variable(m, c.Name)
		if v == nil || v.Size > c.Size {
			return fmt.Errorf("%s: the constant %s of %d bytes is not in the PTX", b.file.Name, c.Name, c.Size)
		}
		b.k.Bank = append(b.k.Bank, ir.BankPart{Offset: c.Offset, From: int(v.Address), Size: v.Size})
		b.literal = max(b.literal, c.Offset+c.Size)
	}
	b.literal = (b.literal + 15) &^ 15
	b.k.ConstBytes = b.literal + len(b.fn.Literals)
	if len(b.fn.Literals) > 0 {
		b.k.Bank = append(b.k.Bank, ir.BankPart{Offset: b.literal, Size: len(b.fn.Literals), Data: b.fn.Literals})
	}
	return nil
}

func variable(m *ir.Module, name string) *ir.Var {
	for i := range m.Vars {
		if v := &m.Vars[i]; v.Name == name && v.Space == ir.Const {
			return v
		}
	}
	return nil
}

// calls notes where functions return to.
func (b *builder) calls() {
	for i := range b.fn.Insts {
		if strings.HasPrefix(b.fn.Insts[i].Mnemonic, "CALL.") {
			b.returns = append(b.returns, i+1)
		}
	}
}

// build makes instruction i.
func (b *builder) build(i int) (err error) {
	b.from, b.in = &b.fn.Insts[i], &b.k.Insts[i]
	parts := strings.Split(b.from.Mnemonic, ".")
	opcode := parts[0]
	r, ok := rules[opcode]
	b.uniform = false
	if plain, u := strings.CutPrefix(opcode, "U"); u && !ok && strings.Contains(uniforms, " "+plain+" ") {
		r, ok = rules[plain]
		b.uniform = true
	}
	switch opcode {
	case "S2UR":
		r, ok, b.uniform = rules["S2R"], true, true
	case "R2UR":
		b.uniform = true
	}
	if !ok {
		return errors.New("the opcode is not supported")
	}
	*b.in = ir.Inst{Op: r.op, Type: r.typ, SrcType: r.src, Mods: r.mods, Line: int32(b.from.Line), Uniform: b.uniform,
		Control: b.from.Control}
	if b.in.Guard, err = b.guard(); err != nil {
		return err
	}
	if b.in.Guard.Kind == ir.KindImm { // @!PT: never executed
		*b.in = ir.Inst{Op: ir.OpNop, Line: b.in.Line, Control: b.in.Control}
		return nil
	}
	if err := b.suffixes(&r, parts[1:]); err != nil {
		return err
	}
	if r.operands != "" {
		if err := b.operands(r.operands); err != nil {
			return err
		}
	} else if r.then == nil && len(b.from.Operands) > 0 {
		return fmt.Errorf("%d operands, expected none", len(b.from.Operands))
	}
	if r.then != nil {
		return r.then(b)
	}
	return nil
}

// guard returns the guard; none where it is always true.
func (b *builder) guard() (ir.Operand, error) {
	g := b.from.Guard
	if g.Kind == listing.None || g.N == listing.True && !g.Not {
		return ir.Operand{}, nil
	}
	return b.predicate(&g)
}

// suffixes applies the suffixes of the mnemonic.
func (b *builder) suffixes(r *rule, names []string) error {
	b.has = map[string]bool{}
	for _, n := range names {
		b.has[n] = true
		if !strings.Contains(" "+r.suffixes+" ", " "+n+" ") {
			return fmt.Errorf("the suffix .%s is not supported", n)
		}
		if f := suffixes[n]; f != nil {
			f(b.in)
		}
	}
	return nil
}

// operands resolves the operands by a rule's letters.
func (b *builder) operands(letters string) error {
	ops := b.from.Operands
	carries := b.in.Mods.CarryIn || b.has["EX"]
	for at := range letters {
		letter := letters[at]
		if letter == 'c' && !carries {
			continue
		}
		if letter == 'n' {
			b.in.Src = append(b.in.Src, ir.Operand{})
			continue
		}
		if letter == 'o' && (len(ops) == 0 || ops[0].Kind != listing.Pred && ops[0].Kind != listing.UPred) {
			b.in.Dst = append(b.in.Dst, ir.Operand{})
			continue
		}
		if letter == 'c' && len(ops) == 0 {
			continue // a second carry that is not printed
		}
		if len(ops) == 0 {
			return fmt.Errorf("%d operands, expected more", len(b.from.Operands))
		}
		if err := b.one(letter, ops); err != nil {
			return err
		}
		ops = ops[b.used(letter, ops):]
	}
	if len(ops) > 0 {
		return fmt.Errorf("%d operands, expected %d", len(b.from.Operands), len(b.from.Operands)-len(ops))
	}
	return nil
}

// used returns the number of operands in the listing of one operand: two for a pair of halves.
func (b *builder) used(letter byte, ops []listing.Operand) int {
	if letter == 's' && b.in.Type == ir.F16x2 && ops[0].Kind == listing.Float {
		return 2
	}
	return 1
}

// one resolves one operand.
func (b *builder) one(letter byte, ops []listing.Operand) error {
	o, err := ir.Operand{}, error(nil)
	switch letter {
	case 'd':
		o, err = b.register(&ops[0], 1)
	case 'w':
		o, err = b.register(&ops[0], 2)
	case 'p', 'o':
		o, err = b.target(&ops[0])
		if letter == 'o' && o.Kind != ir.KindNone {
			b.in.Mods.CarryOut = true
		}
	case 'q', 'c':
		o, err = b.predicate(&ops[0])
	case 's':
		if b.used(letter, ops) == 2 {
			o, err = halves(ops)
			break
		}
		o, err = b.source(&ops[0], 1)
	case 'l':
		o, err = b.source(&ops[0], 2)
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
		b.in.Dst = append(b.in.Dst, o)
	} else {
		b.in.Src = append(b.in.Src, o)
	}
	return nil
}
