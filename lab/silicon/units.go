package main

import (
	"fmt"
	"strings"
)

// The notes on the units of fixed latency of an H100. Earlier versions of them have one server for integer sums and
// products; the version named here takes that back (the windows of the two warps had not overlapped) and gives the
// pairs below.
const (
	pipelines  = "nvidia-sass-document 83990e2e, notes/sm90/arch/h100_fixed_pipeline.md"
	admissions = "nvidia-sass-document cec894b8, notes/sm90/arch/h100_fixed_admission_depth.md"
	conflicts  = "nvidia-sass-document bb73660d, notes/sm90/arch/h20_compute_conflicts.md"
	mioQueues  = "nvidia-sass-document bf214353, notes/sm90/arch/h800_mio_queue_topology.md"
)

// yielded puts a control word with the yield flag before each line.
func yielded(lines ...string) string {
	return strings.ReplaceAll(worded(lines...), ":-:S01]", ":Y:S01]")
}

// soloRates are streams of one instruction by one warp: with flags of reuse on all operands, and with the yield flag
// and none. Operands are those of the notes, R4 and R8 even and R9 odd; doubles have a word in each bank.
func soloRates() []Case {
	var out []Case
	for _, s := range []struct {
		operands     string
		reuse, yield float64
		ops          string
	}{
		{"", 1.01, 2.01, "NOP"},
		{"R40, R4", 2.01, 2.01, "MOV"},
		{"R40, R4, R9, R8", 2.01, 2.01, "IADD3 IMAD HFMA2"},
		{"R40, R4, R9, R8, 0x96, !PT", 2.01, 2.01, "LOP3.LUT"},
		{"R40, R4, 0x3, R9", 2.01, 2.01, "SHF.L.U32"},
		{"R40, R4, 0x3210, R9", 2.01, 2.01, "PRMT"},
		{"R40, R4, R9, PT", 2.01, 2.01, "IMNMX FMNMX FSEL"},
		{"R40, R4, R9, P0", 2.01, 2.01, "SEL"},
		{"P0, PT, R4, R9, PT", 2.01, 2.01, "ISETP.LT.AND"},
		{"R40, R4, R9, R8", 2.01, 2.01, "IDP.4A.U8.U8"},
		{"R40, R4, R9, R8", 4.01, 4.01, "IMAD.WIDE IMAD.HI"},
		{"R40, R4, R9, R8", 1.01, 2.01, "FFMA"},
		{"R40, R4, R9", 1.01, 2.01, "FADD FMUL"},
		{"R40, R4, R9", 2.01, 2.01, "HADD2"},
		{"R40, R4, R8", 2.01, 2.01, "DADD"},
		{"R40, R4, R8, R10", 2.01, 3.01, "DFMA"},
		{"R40, R4", 8, 8, "MUFU.RCP"},
	} {
		for _, op := range strings.Fields(s.ops) {
			plain := strings.TrimSpace(op+" "+s.operands) + ";"
			flagged := plain
			for _, r := range []string{"R4", "R9", "R8", "R10"} {
				if op != "MUFU.RCP" { // such a word is illegal on the chip
					flagged = strings.Replace(flagged, ", "+r, ", "+r+".reuse", 1)
				}
			}
			for _, v := range []struct {
				name, text string
				want       float64
			}{{"reused", worded(flagged), s.reuse}, {"yield", yielded(plain), s.yield}} {
				out = append(out, Case{Name: op + ", " + v.name, Text: v.text, Want: v.want, Source: pipelines})
			}
		}
	}
	return append(out, Case{Name: "FFMA, EOE, neither", Text: worded("FFMA R40, R4, R9, R8;"), Want: 2.01,
		Source: pipelines})
}

// Instructions of the notes' streams in turn: operands leave each bank a cycle of its own.
const (
	packed = "HFMA2 R40, R24, R25, 1, 1;"
	scalar = "FFMA R41, R24, R25, 1;"
	sum    = "IADD3 R42, R24, R25, RZ;"
	prod   = "IMAD R43, R24, R25, RZ;"
	doubl  = "DADD R44, RZ, RZ;"
	mma    = "HFMA2.MMA R46, R24, R25, 1, 1;"
)

// turns are streams of two instructions in turn by one warp, in cycles per instruction. What is 1.10 is 1 and what
// 2048 instructions in a row lose to fetch, by the notes; here instructions are at hand.
func turns() []Case {
	var out []Case
	for _, s := range []struct {
		name   string
		want   float64
		source string
		lines  []string
	}{
		{"IADD3, IMAD", 1.1, pipelines, []string{sum, prod}},
		{"IADD3, DADD", 1.1, pipelines, []string{sum, doubl}},
		{"IMAD, DADD", 1.1, pipelines, []string{prod, doubl}},
		{"HFMA2, DADD", 1.1, pipelines, []string{packed, doubl}},
		{"HFMA2.MMA, HFMA2", 1.1, pipelines, []string{mma, packed}},
		{"IMAD, HFMA2", 2.004, pipelines, []string{prod, packed}},
		{"HFMA2.MMA, DADD", 2.004, pipelines, []string{mma, doubl}},
		{"IADD3, FFMA", 1.1, pipelines, []string{sum, scalar}},
		{"IMAD, FFMA", 1.1, pipelines, []string{prod, scalar}},
		{"HFMA2, FFMA", 2, pipelines, []string{packed, scalar}},
		{"HFMA2, NOP", 1, admissions, []string{packed, "NOP;"}},
		{"HFMA2, IADD3", 1, admissions, []string{packed, sum}},
	} {
		out = append(out, Case{Name: s.name + " in turn", Text: worded(s.lines...), Want: s.want, Per: 2,
			Source: s.source})
	}
	return out
}

// executes is the place of the execution in timeline.Stages.
const executes = 3

// handoffs are instructions behind a row of others. Cycles are from the execution of the row's last instruction to
// that of a clock behind the rest. The notes have the cycles beyond the row alone, with which the clock comes a cycle
// behind the row.
func handoffs() []Case {
	var out []Case
	add := func(name, row string, rows int, next string, wants ...float64) {
		for i, want := range wants {
			lines := []string{"NOP;"}
			for range rows {
				lines = append(lines, row)
			}
			for range i + 1 {
				lines = append(lines, next)
			}
			lines = append(lines, "CS2R R50, SR_CLOCKLO;")
			out = append(out, Case{Name: fmt.Sprintf("%s, %d", name, i+1), Want: 1 + want, From: rows,
				Of: len(lines) - 1, Stage: executes, Text: worded(lines...) + quiet, Source: admissions})
		}
	}
	add("32 HFMA2, then FFMA", packed, 32, scalar, 2, 3, 4, 5)
	add("32 FFMA, then HFMA2", scalar, 32, packed, 2, 4, 6, 8)
	add("HFMA2, then FFMA", packed, 1, scalar, 2, 3, 4, 5)
	add("four IMAD.HI, then FFMA", "IMAD.HI R48, R24, R25, RZ;", 4, scalar, 3, 4, 5, 6)
	return out
}

// pairsOfWarps are two streams of two warps of a sub-core on an H20, with yield flags throughout: cycles in which each
// warp issues an instruction. The streams are run in turn by one warp, for which the same resources bind. "Off" has a
// false predicate on the second stream, which keeps it from reading and not from its unit. The notes say that these
// cycles have the noise of switching between warps.
func pairsOfWarps() []Case {
	const ooe = "R25, R26, R29"
	own := func(op string, r int) string {
		eeo := map[string]string{"FADD": "R24, R27", "HADD2": "R24, R27", "SHF.L.U32": "R24, 0x3, R27",
			"LOP3.LUT": "R24, R27, R28, 0x96, !PT"}[op]
		if eeo == "" {
			eeo = "R24, R27, R28"
		}
		return fmt.Sprintf("%s R%d, %s;", op, r, eeo)
	}
	var out []Case
	add := func(name, open string, want float64, lines ...string) {
		out = append(out, Case{Name: name, Text: worded(lines...), Want: want, Source: conflicts, Open: open})
	}
	for _, p := range []struct {
		a, b        string
		off, active float64 // 0: not given, or within the streams above
		complement  float64
		noise       string // in the first of them
	}{
		{a: "IADD3", b: "IADD3", off: 4.33, active: 4.19},
		{a: "IADD3", b: "LOP3.LUT", off: 4.45, active: 4.3, noise: "4.3 to 4.6, more than with a true predicate"},
		{a: "IADD3", b: "SHF.L.U32", off: 4.45, active: 4.3, noise: "4.3 to 4.6, more than with a true predicate"},
		{a: "HFMA2", b: "HFMA2", off: 4.32, active: 4.37},
		{a: "HFMA2", b: "HADD2", off: 4.34, active: 4.13},
		{a: "IMAD", b: "IMAD", off: 4.53, active: 4.15, noise: "4.15 with a true predicate"},
		{a: "FFMA", b: "FFMA", off: 2.04, active: 4.34},
		{a: "FADD", b: "FADD", off: 1.97, active: 2.05},
		{a: "IADD3", b: "FFMA", off: 2.02, active: 4.11, complement: 2.98},
		{a: "IADD3", b: "HFMA2", off: 2, active: 3.915},
		{a: "FFMA", b: "HFMA2", off: 4.33, active: 4.225},
		{a: "FADD", b: "HFMA2", off: 4.315, active: 4.23},
		{a: "IMAD", b: "HFMA2", off: 4.13, active: 4.01},
		{a: "IMAD", b: "FFMA", off: 2, active: 4.075, complement: 3.06},
		{a: "IADD3", b: "FADD", active: 2.965},
	} {
		name := p.a + " and " + p.b
		add(name, "", p.active, own(p.a, 40), own(p.b, 41))
		if p.off > 0 {
			add(name+" off", p.noise, p.off, own(p.a, 40), "@!PT "+own(p.b, 41))
		}
		if p.complement > 0 {
			add(name+", complementary banks", "", p.complement, own(p.a, 40), fmt.Sprintf("%s R41, %s;", p.b, ooe))
		}
	}
	return out
}

// placements are streams of the units that the sub-cores share, and of special functions, in cycles of an instruction
// of a sub-core's warps: by one warp, two of a sub-core, two of two, one of each, and two of each.
func placements() []Case {
	var out []Case
	add := func(name, line string, warps int, want float64) {
		out = append(out, Case{Name: fmt.Sprintf("%s, %d warps of the SM", name, warps), Text: worded(line),
			Warps: warps, Want: want, Source: mioQueues})
	}
	for _, s := range []struct {
		name, line string
		// Instructions per cycle of the SM: one warp, two and four sub-cores, two warps of each.
		one, two, four, eight float64
	}{
		{"LDS of no register", "LDS R40, [RZ];", 0.497, 0.976, 0.993, 0.989},
		{"SHFL of one register", "SHFL.BFLY PT, R40, R24, 0x1, 0x1f;", 0.497, 0.976, 0.988, 0.987},
		{"MUFU.RCP", "MUFU.RCP R40, R24;", 0.125, 0.249, 0.494, 0.497},
	} {
		add(s.name, s.line, 1, 1/s.one)
		add(s.name, s.line, 2, 2/s.two)
		add(s.name, s.line, 4, 4/s.four)
		add(s.name, s.line, 8, 4/s.eight)
	}
	for _, s := range []struct {
		name, line string
		want       float64
	}{
		{"SHFL of none", "SHFL.BFLY PT, R40, RZ, 0x1, 0x1f;", 2.039},
		{"SHFL of two registers", "SHFL.BFLY PT, R40, R24, R25, 0x1f;", 3.898},
		{"SHFL of three registers", "SHFL.BFLY PT, R40, R24, R25, R26;", 5.824},
		{"LDS of a register", "LDS R40, [R24];", 2.039}, {"LDG of two registers", "LDG.E R40, [R24.64];", 3.898},
	} {
		add(s.name, s.line, 1, s.want)
	}
	return out
}

// lateWrites are loads of a line that hits, 40 FFMAs that write one bank, and a reader of the load: cycles from the
// clock in front of the load to the one behind the reader.
func lateWrites() []Case {
	var out []Case
	for _, v := range []struct {
		name string
		odd  int
		want float64
	}{{"the other bank", 1, 52}, {"the load's bank", 0, 60}} {
		text := settle + "[B------:R-:W-:-:S05] CS2R R20, SR_CLOCKLO;\n[B------:R-:W4:Y:S01] LDG.E R40, [R6.64];\n"
		for i := range 40 {
			text += word + fmt.Sprintf("FFMA R%d, R24.reuse, R27.reuse, R28.reuse;\n", 50+v.odd+2*(i%20))
		}
		text += "[B----4-:R-:W-:-:S05] IADD3 R32, R40, RZ, RZ;\n[B------:R-:W-:-:S05] CS2R R22, SR_CLOCKLO;\n" + quiet
		out = append(out, Case{Name: "a load among 40 FFMAs that write " + v.name, Text: text, From: 1, Of: 44,
			Want: v.want, Source: notes})
	}
	return out
}

// steady is the number of repetitions by which full queues do not count.
const steady = 200

// hopperUnits are the rows of the notes on units, but for results' visibility.
func hopperUnits() []Case {
	var out []Case
	for _, g := range []struct {
		title string
		list  []Case
	}{
		{"Units of an H100: cycles per instruction", soloRates()},
		{"Units of an H100: two instructions in turn, cycles per instruction", turns()},
		{"Units of an H100: cycles from a row of instructions to a clock behind others", handoffs()},
		{"Units of an H20: two instructions of two warps, cycles of both", pairsOfWarps()},
		{"Shared units of an H800: cycles of an instruction of a sub-core's warps", placements()},
		{"Writes of an H800: cycles from a clock before a load to one behind its reader", lateWrites()},
	} {
		for _, c := range g.list {
			c.Group, c.GPU, c.Warps, c.Within = g.title, "h100", max(c.Warps, 1), 0.1
			c.Repeat = steady
			out = append(out, c)
		}
	}
	return out
}
