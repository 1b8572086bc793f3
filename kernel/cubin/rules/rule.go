package rules

import (
	"kumiko/kernel/ir"
)

// Rule is the meaning of an opcode.
type Rule struct {
	Op   ir.Op
	Type ir.Type // of the operation, unless a suffix gives another
	Src  ir.Type // the source's, if it is another
	// Operands has a letter for each operand in the listing's order:
	//
	//	d w    destination register, pair of registers
	//	p      destination predicate
	//	o      destination predicate that may be left out
	//	s l    source of one word, of two
	//	q      source predicate
	//	c      source predicate, there only with the suffix X or EX
	//	i      immediate number
	//	n      none: a source that is not there
	Operands string
	// Suffixes are the suffixes understood. Those of the table effects have an effect on the instruction.
	Suffixes string
	Mods     ir.Mods
	// Then completes or replaces the instruction made of the above.
	Then func(b *Builder) error
}

// Suffixes of several opcodes.
const (
	Functions = " RCP RSQ SQRT SIN COS EX2 LG2 TANH RCP64H RSQ64H "
	Compares  = " EQ NE LT LE GT GE AND OR XOR "
	Unordered = " EQU NEU LTU LEU GTU GEU NUM NAN "
	Rounds    = " RN RZ RM RP "
	Integrals = " FLOOR CEIL TRUNC "
	Permutes  = " F4E B4E RC8 ECL ECR RC16 "
	Widths    = " U8 S8 U16 S16 32 64 128 "
	Accesses  = Widths + " E SYS U CONSTANT CV WT STRONG WEAK GPU SM CTA EF EL LU EU NA "
	Atomics   = " ADD MIN MAX INC DEC AND OR XOR EXCH CAS U32 S32 U64 S64 F32 F64 FTZ RN "
)

// effects has the suffixes with the same effect on every opcode, and this effect.
var effects = map[string]func(in *ir.Inst){
	"FTZ": func(in *ir.Inst) { in.Mods.Ftz = true }, "SAT": func(in *ir.Inst) { in.Mods.Sat = true },
	"X":  func(in *ir.Inst) { in.Mods.CarryIn = true },
	"HI": func(in *ir.Inst) { in.Mods.Part = ir.Hi }, "WIDE": func(in *ir.Inst) { in.Mods.Part = ir.Wide },
	"W": func(in *ir.Inst) { in.Mods.Wrap = true }, "L": func(in *ir.Inst) { in.Mods.Left = true },
	"SH":     func(in *ir.Inst) { in.Mods.ShiftAmt = true },
	"STRONG": func(in *ir.Inst) { in.Mods.Ordered = true },
	"U32":    typed(ir.U32), "S32": typed(ir.S32), "U64": typed(ir.U64), "S64": typed(ir.S64),
	"RN": rounded(ir.RN), "RZ": rounded(ir.RZ), "RM": rounded(ir.RM), "RP": rounded(ir.RP),
	"FLOOR": rounded(ir.RMI), "CEIL": rounded(ir.RPI), "TRUNC": rounded(ir.RZI),
	"EQ": compared(ir.EQ), "NE": compared(ir.NE), "LT": compared(ir.LT), "LE": compared(ir.LE), "GT": compared(ir.GT),
	"GE": compared(ir.GE), "EQU": compared(ir.EQU), "NEU": compared(ir.NEU), "LTU": compared(ir.LTU),
	"LEU": compared(ir.LEU), "GTU": compared(ir.GTU), "GEU": compared(ir.GEU), "NUM": compared(ir.NUM),
	"NAN": compared(ir.NAN),
	"F4E": permuted(ir.PrmtF4E), "B4E": permuted(ir.PrmtB4E), "RC8": permuted(ir.PrmtRC8),
	"ECL": permuted(ir.PrmtECL), "ECR": permuted(ir.PrmtECR), "RC16": permuted(ir.PrmtRC16),
	"AND": combined(ir.BoolAnd), "OR": combined(ir.BoolOr), "XOR": combined(ir.BoolXor),
}

func typed(t ir.Type) func(in *ir.Inst) { return func(in *ir.Inst) { in.Type = t } }

func rounded(r ir.Round) func(in *ir.Inst) { return func(in *ir.Inst) { in.Mods.Round = r } }

func compared(c ir.Cmp) func(in *ir.Inst) { return func(in *ir.Inst) { in.Mods.Cmp = c } }

func permuted(p ir.Prmt) func(in *ir.Inst) { return func(in *ir.Inst) { in.Mods.Prmt = p } }

func combined(c ir.Bool) func(in *ir.Inst) { return func(in *ir.Inst) { in.Mods.Bool = c } }
