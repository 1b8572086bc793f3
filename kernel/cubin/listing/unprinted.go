package listing

import (
	"fmt"
	"strconv"
	"strings"

	"kumiko/kernel/ir"
)

// VIMNMX: for sm_90, ptxas of CUDA 11.8 assembles min and max of integers to an instruction for which the disassembler
// of the same toolkit prints its two words alone. The fields below were found by assembling min and max. The opcode is
// 0x248 if the second source is a register, 0x848 if it is a number and 0xc48 if it is a uniform register. Bit 72 is
// set for signed integers. Bits 87 to 90 are a predicate as in IMNMX, where !PT makes it the maximum. The name is that
// of later disassemblers.
const (
	extremeRegister = 0x248
	extremeNumber   = 0x848
	extremeUniform  = 0xc48

	extremeSigned  = 1 << 8  // of the second word
	extremeLargest = 1 << 26 // !PT for PT
	extremeAlways  = 0x3fe0000
	extremeOther   = 1 << 27 // beside a uniform register
	controlFrom    = 41      // the first bit of the control word
)

// unprinted makes an instruction from two words that have no text. If the opcode is not VIMNMX, its number becomes the
// mnemonic, so that the front ends refuse it.
func (in *Inst) unprinted(w0, w1 uint64) {
	in.Control = ir.ControlOf(uint32(w1 >> controlFrom & 0x1fffff))
	in.Mnemonic = fmt.Sprintf("%#x", w0&0xfff)
	second, known := Operand{Kind: Reg, N: int(w0 >> 32 & 0xff)}, w0>>40 == 0
	fields := w1 & (1<<controlFrom - 1) &^ (extremeSigned | extremeLargest)
	switch w0 & 0xfff {
	case extremeNumber:
		second, known = Operand{Kind: Int, Value: int64(int32(w0 >> 32))}, true
	case extremeUniform:
		second, known = Operand{Kind: UReg, N: int(w0 >> 32 & 0x3f)}, w0>>38 == 0
		fields &^= extremeOther
		if second.N == 0x3f {
			second.N = Zero
		}
	case extremeRegister:
	default:
		return
	}
	if !known || fields != extremeAlways {
		return
	}
	in.Mnemonic = extreme
	if w1&extremeSigned == 0 {
		in.Mnemonic += ".U32"
	}
	if n := int(w0 >> 12 & 7); n != True || w0>>15&1 != 0 {
		in.Guard = Operand{Kind: Pred, N: n, Not: w0>>15&1 != 0}
	}
	in.Operands = []Operand{{Kind: Reg, N: int(w0 >> 16 & 0xff)}, {Kind: Reg, N: int(w0 >> 24 & 0xff)}, second,
		{Kind: Pred, N: True, Not: w1&extremeLargest != 0}}
	in.Text = in.printed()
}

// payload replaces a NaN among the operands of an FSEL by the number whose bits are in the upper half of the first
// word. The disassembler prints every NaN as QNAN, but FSEL also selects upper words of doubles, such as that of an
// infinity. Other instructions give the same results for any NaN.
func (in *Inst) payload(word uint64) {
	if name, _, _ := strings.Cut(in.Mnemonic, "."); name != "FSEL" {
		return
	}
	for i := range in.Operands {
		o := &in.Operands[i]
		if o.Kind == Float && strings.HasSuffix(o.Text, "NAN") && !o.Neg && !o.Abs {
			bits := word >> 32
			in.Text = strings.Replace(in.Text, o.Text, fmt.Sprintf("%#x", bits), 1)
			*o = Operand{Kind: Int, Value: int64(bits)}
		}
	}
}

// jump is a branch to a label, with the address that its first word has.
type jump struct {
	of      *Function
	label   string
	address int
	line    int
}

// The disassembler does not print the label of such an instruction, though branches name it, and prints the label
// of the next instruction one line too early. So the places are taken from the words of the branches. BRA and
// CALL.REL count words from the next instruction on: the lowest eight bits of the count begin at bit 16, the
// others at bit 34. BSSY counts bytes, from bit 32 on.
const (
	opcodeBits    = 0xfff
	opcodeBranch  = 0x947
	opcodeCall    = 0x944
	opcodeBarrier = 0x945
)

// leads notes the address to which the last instruction branches, from its first word. It does so for sm_90 only.
func (r *reader) leads(f *Function, in *Inst) {
	n := len(in.Operands)
	if r.file.Arch < 90 || n == 0 || in.Operands[n-1].Kind != Label {
		return
	}
	next := in.Address + CodeBytes
	switch r.first & opcodeBits {
	case opcodeBranch, opcodeCall:
		words := int(int64(r.first)>>34)<<8 | int(r.first>>16&0xff)
		r.jumps = append(r.jumps, jump{f, in.Operands[n-1].Text, next + 4*words, in.Line})
	case opcodeBarrier:
		r.jumps = append(r.jumps, jump{f, in.Operands[n-1].Text, next + int(int32(r.first>>32)), in.Line})
	}
}

// extreme is the name of such an instruction.
const extreme = "VIMNMX"

func (in *Inst) isExtreme() bool {
	name, _, _ := strings.Cut(in.Mnemonic, ".")
	return name == extreme
}

// placeLabels gives labels at and behind instructions without a text the places that branches have.
func (r *reader) placeLabels() error {
	for _, j := range r.jumps {
		to := j.address / CodeBytes
		at, printed := j.of.Labels[j.label]
		switch {
		case printed && at == to:
		case j.address%CodeBytes != 0 || to < 0 || to >= len(j.of.Insts) ||
			printed && (at > to || !j.of.Insts[at].isExtreme()):
			return fmt.Errorf("%s:%d: a branch to %s whose word has the address %#x", r.file.Name, j.line, j.label,
				j.address)
		default:
			j.of.Labels[j.label] = to
		}
	}
	return nil
}

// printed returns the text of such an instruction.
func (in *Inst) printed() string {
	text := in.Mnemonic
	if g := &in.Guard; g.Kind == Pred {
		text = "@" + g.plain() + " " + text
	}
	for i := range in.Operands {
		if i > 0 {
			text += ","
		}
		text += " " + in.Operands[i].plain()
	}
	return text
}

// plain returns the text of a register, a predicate or a number.
func (o *Operand) plain() string {
	name, number := "", strconv.Itoa(o.N)
	switch o.Kind {
	case Int:
		return fmt.Sprintf("%#x", o.Value)
	case Pred:
		name = "P"
	case UReg:
		name = "UR"
	default:
		name = "R"
	}
	switch {
	case o.Kind == Pred && o.N == True:
		number = "T"
	case o.Kind != Pred && o.N == Zero:
		number = "Z"
	}
	if o.Not {
		name = "!" + name
	}
	return name + number
}
