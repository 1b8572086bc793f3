package ir

import (
	"fmt"
	"strings"
)

var cmpNames = [...]string{"", "eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num",
	"nan"}

var boolNames = [...]string{"", "and", "or", "xor"}

var partNames = [...]string{"", "lo", "hi", "wide"}

var atomNames = [...]string{"", "add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas", "arrive",
	"try.cas"}

var shflNames = [...]string{"up", "down", "bfly", "idx"}

var voteNames = [...]string{"all", "any", "uni", "ballot", "differ"}

// String returns the comparison's name in PTX.
func (c Cmp) String() string { return cmpNames[c] }

// String returns the instruction in a notation like PTX's, with registers written R0, R0:R1 for two words,
// predicates P0, constant-bank operands c[param+8]. It is for people: rare modifiers are left out.
func (in *Inst) String() string {
	var b strings.Builder
	if in.Guard.Kind != KindNone {
		b.WriteString("@" + in.Guard.String() + " ")
	}
	b.WriteString(in.mnemonic())
	var args []string
	for i := range in.Dst {
		args = append(args, in.Dst[i].String())
	}
	if in.isMemory() {
		args = append(args, in.Addr.String())
	}
	if in.Op == OpTex || in.Op == OpTxq {
		args = append(args, in.texture())
	}
	for i := range in.Src {
		args = append(args, in.Src[i].String())
	}
	switch in.Op {
	case OpBra, OpMeeting:
		args = append(args, fmt.Sprintf("-> %d", in.Target))
	case OpBrx:
		args = append(args, fmt.Sprintf("-> %v", in.Targets))
	}
	if len(args) > 0 {
		b.WriteString(" " + strings.Join(args, ", "))
	}
	return b.String()
}

var texNames = [...]string{"1d", "2d", "3d", "a1d", "a2d", "cube", "acube"}

var queryNames = [...]string{"width", "height", "depth", "layers", "texel_bytes", "row_bytes", "normalized", "filter",
	"mode0", "mode1", "mode2", "address"}

// texture returns the name of a fetch's texture, or the place of its handle.
func (in *Inst) texture() string {
	if in.Sym != "" {
		return "[" + in.Sym + "]"
	}
	return in.Addr.String()
}

func (in *Inst) isMemory() bool {
	switch in.Op {
	case OpLd, OpSt, OpAtom, OpRed, OpPrefetch, OpMbarWait, OpLdmatrix, OpStmatrix:
		return true
	}
	return false
}

func (in *Inst) mnemonic() string {
	parts := []string{in.Op.String()}
	m := &in.Mods
	switch in.Op {
	case OpShfl:
		parts = append(parts, shflNames[m.Shfl])
	case OpVote, OpMatch:
		parts = append(parts, voteNames[m.Vote])
	case OpTex:
		parts = append(parts, texNames[m.Tex])
	case OpMma:
		parts = append(parts, fmt.Sprintf("m%dn8k%d", m.MatrixM, m.MatrixK))
	case OpTxq:
		parts = append(parts, queryNames[m.Query])
	case OpSetmaxnreg:
		parts = append(parts, map[bool]string{true: "inc", false: "dec"}[m.Grow])
	}
	if in.isMemory() {
		parts = append(parts, in.Space.String())
	}
	parts = append(parts, cmpNames[m.Cmp], boolNames[m.Bool], partNames[m.Part], atomNames[m.Atomic])
	if m.Approx {
		parts = append(parts, "approx")
	}
	parts = append(parts, in.Type.String())
	if in.SrcType != in.Type {
		parts = append(parts, in.SrcType.String())
	}
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, ".")
}

// String returns the operand in the notation of Inst.String.
func (o Operand) String() string {
	s := o.plain() + [NumForms]string{FormLow: ".low", FormHigh: ".high", FormNot: ".not",
		FormByte1: ".byte1", FormByte2: ".byte2", FormByte3: ".byte3", FormUpperZero: ".half",
		FormSingle: ".single"}[o.Form%NumForms]
	if o.Abs {
		s = "|" + s + "|"
	}
	if o.Neg {
		if o.Kind == KindPred {
			return "!" + s
		}
		return "-" + s
	}
	return s
}

func (o Operand) plain() string {
	switch o.Kind {
	case KindReg:
		if o.Words > 1 {
			return fmt.Sprintf("R%d:R%d", o.Reg, o.Reg+Reg(o.Words)-1)
		}
		return fmt.Sprintf("R%d", o.Reg)
	case KindUniform:
		if o.Words > 1 {
			return fmt.Sprintf("UR%d:UR%d", o.Reg, o.Reg+Reg(o.Words)-1)
		}
		return fmt.Sprintf("UR%d", o.Reg)
	case KindPred:
		return fmt.Sprintf("P%d", o.Reg)
	case KindImm:
		return fmt.Sprintf("%#x", o.Imm)
	case KindSpecial:
		return o.Special.String()
	case KindParam:
		return fmt.Sprintf("c[param+%d]", o.Imm)
	case KindConst:
		return fmt.Sprintf("c[const+%d]", o.Imm)
	}
	return "_"
}

// String returns the address in brackets.
func (a Addr) String() string {
	if a.Base.Kind == KindNone {
		return fmt.Sprintf("[%#x]", uint64(a.Offset))
	}
	s := a.Base.String()
	if a.Scale > 1 {
		s += fmt.Sprintf("*%d", a.Scale)
	}
	if a.Index.Kind != KindNone {
		s += "+" + a.Index.String()
	}
	if a.Offset != 0 {
		s += fmt.Sprintf("%+d", a.Offset)
	}
	return "[" + s + "]"
}
