package suite

import (
	"fmt"
	"strings"
)

// Rows returns the rows of the suite.
func Rows() []Row {
	// r returns register i modulo eight, counted from register from.
	r := func(from, i int) int { return from + i%8 }
	var list []Row
	for _, x := range []struct {
		name, doc, op string
		line          func(i int) string
	}{
		{"ffma_chain", "each FFMA needs the one before it", "FFMA",
			func(int) string { return "fma.rn.f32 %f0, %f0, %f8, %f9;" }},
		{"ffma_apart", "eight chains of FFMAs with two operands in common", "FFMA",
			func(i int) string { return fmt.Sprintf("fma.rn.f32 %%f%d, %%f%d, %%f8, %%f9;", r(0, i), r(0, i)) }},
		{"ffma_three", "FFMAs of three registers, no two alike", "FFMA",
			func(i int) string {
				return fmt.Sprintf("fma.rn.f32 %%f%d, %%f%d, %%f%d, %%f%d;", r(0, i), r(8, i), r(16, 3*i), r(0, i))
			}},
		{"fadd_two", "FADDs of two registers", "FADD",
			func(i int) string { return fmt.Sprintf("add.rn.f32 %%f%d, %%f%d, %%f%d;", r(0, i), r(0, i), r(8, i)) }},
		{"iadd", "integer additions of two registers", "IADD",
			func(i int) string { return fmt.Sprintf("add.s32 %%r%d, %%r%d, %%r%d;", r(0, i), r(8, i), r(0, i+1)) }},
		{"imad", "integer multiply-adds", "IMAD",
			func(i int) string {
				return fmt.Sprintf("mad.lo.s32 %%r%d, %%r%d, %%r%d, %%r%d;", r(0, i), r(0, i), r(8, i), r(16, i))
			}},
		{"mixed", "FFMAs and integer logic in turn", "LOP3",
			func(i int) string {
				if i%2 == 0 {
					return fmt.Sprintf("fma.rn.f32 %%f%d, %%f%d, %%f8, %%f9;", r(0, i/2), r(0, i/2))
				}
				return fmt.Sprintf("xor.b32 %%r%d, %%r%d, %%r%d;", r(0, i/2), r(0, i/2), r(8, i/2+1))
			}},
		{"mufu", "approximate reciprocal square roots", "MUFU",
			func(i int) string { return fmt.Sprintf("rsqrt.approx.ftz.f32 %%f%d, %%f%d;", r(0, i), r(0, i)) }},
		{"lds_chain", "each load from shared memory has the address that the one before it loads", "LDS",
			func(int) string { return "ld.volatile.shared.u32 %a, [%a];" }},
		{"lds_ffma", "a load from shared memory and three FFMAs in turn", "LDS",
			func(i int) string {
				if i%4 == 0 {
					return fmt.Sprintf("ld.volatile.shared.f32 %%f%d, [%%a+%d];", r(16, i/4), 128*(i/4))
				}
				return fmt.Sprintf("fma.rn.f32 %%f%d, %%f%d, %%f8, %%f9;", r(0, i), r(0, i))
			}},
		{"ldg_chain", "each load from global memory has the address that the one before it loads, in the L1", "LDG",
			func(int) string { return "ld.global.ca.u64 %g, [%g];" }},
	} {
		list = append(list, Row{Name: x.name, Doc: x.doc, Op: x.op, Line: x.line})
	}
	list = append(list, arithmetic()...)
	return append(list, accesses()...)
}

// arithmetic returns rows of one instruction each: eight chains, or a single chain if the name says so.
func arithmetic() []Row {
	var out []Row
	for _, x := range []struct{ name, doc, op, line string }{
		// RD, FD, ED and LD are the result of a chain. RA, RB, FA and EA are written only before the loop.
		{"iadd3", "sums of three registers", "IADD3", "add.s32 RD, RD, RA;"},
		{"lop3", "logic of three registers", "LOP3", "lop3.b32 RD, RD, RA, RB, 0x6a;"},
		{"shl", "shifts by a register", "SHF", "shl.b32 RD, RD, RA;"},
		{"shf", "funnel shifts", "SHF", "shf.l.wrap.b32 RD, RD, RA, RB;"},
		{"prmt", "permutations of bytes", "PRMT", "prmt.b32 RD, RD, RA, RB;"},
		{"imin", "minimums of integers", "", "min.s32 RD, RD, RA;"},
		{"fmin", "minimums of floats", "FMNMX", "min.f32 FD, FD, FA;"},
		{"popc", "counts of bits", "POPC", "popc.b32 RD, RD;"},
		{"flo", "highest bits", "FLO", "bfind.u32 RD, RD;"},
		{"brev", "reversals of bits", "BREV", "brev.b32 RD, RD;"},
		{"imad_wide", "multiply-adds of 64 bits, and additions", "IMAD",
			"mad.wide.u32 LD, RD, RA, LD;add.u32 RD, RD, RB;"},
		{"mulhi", "upper halves of products", "IMAD", "mul.hi.u32 RD, RD, RA;"},
		{"fmul", "products of floats", "FMUL", "mul.rn.f32 FD, FD, FA;"},
		{"hfma2", "multiply-adds of two halves", "HFMA2", "fma.rn.f16x2 RD, RD, RA, RB;"},
		{"dadd", "sums of doubles", "DADD", "add.rn.f64 ED, ED, EA;"},
		{"dfma", "multiply-adds of doubles", "DFMA", "fma.rn.f64 ED, ED, EA, ED;"},
		{"ex2", "powers of two", "MUFU", "ex2.approx.ftz.f32 FD, FD;"},
		{"f2i_i2f", "floats to integers and back", "F2I", "cvt.rzi.s32.f32 RD, FD;cvt.rn.f32.s32 FD, RD;"},
		{"f2f", "floats to doubles and back", "F2F", "cvt.f64.f32 ED, FD;cvt.rn.f32.f64 FD, ED;"},
		{"shfl", "shuffles", "SHFL", "shfl.sync.bfly.b32 RD, RD, 1, 31, 0xffffffff;"},
		{"bar", "barriers of the CTA", "BAR", "bar.sync 0;"},
	} {
		for _, chains := range []int{8, 1} {
			name, doc := x.name, x.doc
			if chains == 1 {
				name, doc = name+"_chain", "one chain of "+doc
			}
			out = append(out, Row{Name: name, Doc: doc, Op: x.op, Chip: x.name == "bar",
				Line: func(i int) string { return operands(x.line, i, chains) }})
			if x.name == "bar" {
				break
			}
		}
	}
	return out
}

// apart is the distance in bytes between the addresses stored to by successive lines of a loop. It exceeds the span
// of a warp's lanes.
const apart = 8448

// operands returns instruction i of lines used in rotation, with the registers of its chain.
func operands(lines string, i, chains int) string {
	list := strings.SplitAfter(strings.TrimSuffix(lines, ";"), ";")
	line := strings.TrimSuffix(list[i%len(list)], ";") + ";"
	at := fmt.Sprint(apart * i)
	i = i / len(list) % chains
	d, a, b := fmt.Sprint(i), fmt.Sprint(8+i), fmt.Sprint(16+i)
	return strings.NewReplacer("RD", "%r"+d, "RA", "%r"+a, "RB", "%r"+b, "FD", "%f"+d, "FA", "%f"+a, "ED", "%e"+d,
		"EA", "%e"+a, "LD", "%l"+d, "AT", at).Replace(line)
}

// accesses returns rows of loads, stores and atomics, by stride in words.
func accesses() []Row {
	var out []Row
	add := func(name, doc, op, line string, words int) {
		out = append(out, Row{Name: fmt.Sprintf("%s_%d", name, words), Op: op, Stride: 4 * words, Strided: true,
			Chip: strings.Contains(line, "[%q+AT]"), // limited by parts of the chip outside the SM
			Doc:  fmt.Sprintf("%s, %d words apart", doc, words),
			Line: func(i int) string { return operands(line, i, 8) }})
	}
	for _, words := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 64} {
		add("ldg", "loads that hit the L1", "LDG", "ld.relaxed.cta.global.u32 RA, [%q];xor.b32 RD, RD, RA;", words)
	}
	for _, words := range []int{0, 1, 2, 3, 4, 8, 9, 16, 17, 32} {
		add("lds", "loads from shared memory", "LDS", "ld.volatile.shared.u32 RA, [%s];xor.b32 RD, RD, RA;", words)
		add("stg", "stores to global memory", "STG", "st.relaxed.cta.global.u32 [%q+AT], RD;", words)
		add("sts", "stores to shared memory", "STS", "st.volatile.shared.u32 [%s], RD;", words)
	}
	for _, words := range []int{2, 4} {
		add("lds64", "loads of two words from shared memory", "LDS",
			"ld.volatile.shared.u64 %d1, [%s];xor.b64 LD, LD, %d1;", words)
		add("ldg64", "loads of two words that hit the L1", "LDG",
			"ld.relaxed.cta.global.u64 %d1, [%q];xor.b64 LD, LD, %d1;", words)
	}
	for _, words := range []int{0, 1, 2, 8, 32} {
		add("red", "atomic additions without a result", "RED", "red.relaxed.gpu.global.add.u32 [%q+AT], RA;", words)
		add("atom", "atomic additions with a result", "ATOM", "atom.relaxed.gpu.global.add.u32 RD, [%q+AT], RA;", words)
		add("atoms", "atomic additions to shared memory", "ATOMS", "atom.shared.add.u32 RD, [%s], RA;", words)
	}
	return out
}
