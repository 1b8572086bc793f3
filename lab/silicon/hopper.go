package main

import "fmt"

// notes are the public measurements of streams on Hopper and Volta by cicuvc, nvidia-sass-document: hand-assembled
// streams on an H800, H100, H20 and V100S. GPUs here were made without them. A row is cycles per instruction of one
// warp, or of each of two warps of a sub-core; repeated measurements differ by some hundredths of a cycle, and those of
// two warps by up to 8 %.
const notes = "nvidia-sass-document 83990e2e, notes/sm90/arch/register_bandwidth.md"

// within is the tolerance of rows of two warps.
const within = 0.08

// A note is a row of the public measurements, a stream of instructions. Registers R10, R12 and R14 are even, R11, R13
// and R15 odd.
type note struct {
	name   string
	warps  int // of a sub-core
	want   float64
	lines  []string
	source string // empty: notes
}

// hopperStreams are the rows that instructions of fixed latency answer. The row of DFMA is not among them, since its
// registers are not given.
func hopperStreams() []note {
	const eee, eeo, ooe = "R10, R12, R14", "R10, R12, R15", "R11, R13, R14"
	op := func(name, operands string) []string { return []string{name + " R40, " + operands + ";"} }
	list := []note{
		{name: "FFMA, three even", want: 3.11, lines: op("FFMA", eee)},
		{name: "FFMA, three odd", want: 3.11, lines: op("FFMA", "R11, R13, R15")},
		{name: "FFMA, EEO", want: 2.01, lines: op("FFMA", eeo)},
		{name: "FFMA, EOE", want: 2.01, lines: op("FFMA", "R10, R13, R14")},
		{name: "FFMA, OEE", want: 2.01, lines: op("FFMA", "R11, R12, R14")},
		{name: "FFMA, three even, A reused", want: 2.11, lines: op("FFMA", "R10.reuse, R12, R14")},
		{name: "FFMA, three even, A and B reused", want: 1, lines: op("FFMA", "R10.reuse, R12.reuse, R14")},
		{name: "FFMA, EEO, A reused", want: 1.01, lines: op("FFMA", "R10.reuse, R12, R15")},
		{name: "FADD, EO", want: 1.01, lines: op("FADD", "R10, R13")},
		{name: "FADD, EE", want: 2, lines: op("FADD", "R10, R12")},
		{name: "IADD3, EEO", want: 2.01, lines: op("IADD3", eeo)},
		{name: "IADD3, EEE", want: 3, lines: op("IADD3", eee)},
		{name: "HFMA2, EEO", want: 2.01, lines: op("HFMA2", eeo)},
		{name: "HFMA2, EEE", want: 3, lines: op("HFMA2", eee)},
		{name: "IMAD, EEO", want: 2.01, lines: op("IMAD", eeo)},
		{name: "DADD", want: 2.01, lines: []string{"DADD R40, R10, R12;"}},
		{name: "FADD, EO", warps: 2, want: 2.09, lines: op("FADD", "R10, R13")},
		{name: "FADD, EE", warps: 2, want: 4.29, lines: op("FADD", "R10, R12")},
		{name: "FFMA, EEO", warps: 2, want: 4.29, lines: op("FFMA", eeo)},
		{name: "FFMA, three even", warps: 2, want: 5.57, lines: op("FFMA", eee)},
		{name: "IADD3, EEO", warps: 2, want: 4.2, lines: op("IADD3", eeo)},
		{name: "HFMA2, EEO", warps: 2, want: 4.3, lines: op("HFMA2", eeo)},
		{name: "IMAD, EEO", warps: 2, want: 4.2, lines: op("IMAD", eeo)},
		{name: "FFMA of complementary banks in turn", want: 2.99,
			lines: append(op("FFMA", eeo), "FFMA R41, "+ooe+";")},
		{name: "FFMA EEO and FADD EO in turn", want: 3.06, lines: append(op("FFMA", eeo), "FADD R41, R10, R13;")},
		{name: "FFMA and HFMA2 in turn", want: 4,
			lines: append(op("FFMA", "R10, R13, RZ"), "HFMA2 R41, R11, R12, RZ;")},
		{name: "FADD and HFMA2 in turn", want: 4, lines: append(op("FADD", "R10, R13"), "HFMA2 R41, R11, R12, RZ;")},
	}
	for i := range list {
		list[i].source = notes
	}
	return list
}

// voltaStreams are the rows of a V100S.
func voltaStreams() []note {
	const source = "nvidia-sass-document bf21435e, notes/sm70/register_banks.md"
	var list []note
	add := func(want float64, op, operands string) {
		list = append(list, note{name: op + " " + operands, want: want, source: source,
			lines: []string{op + " R40, " + operands + ";"}})
	}
	add(2.014, "FADD", "R10, R12")
	add(2.014, "FADD", "R10, R13")
	add(2.014, "FADD", "R11, R13")
	add(3.010, "FFMA", "R10, R12, R14")
	add(3.010, "FFMA", "R11, R13, R15")
	add(2.014, "FFMA", "R10, R12, R15")
	add(2.014, "FFMA", "R10, R13, R14")
	add(2.014, "FFMA", "R11, R12, R14")
	add(2.014, "FFMA", "R10.reuse, R12, R14")
	return list
}

// noted returns the cases of rows.
func noted(group, gpu string, list []note) []Case {
	var out []Case
	for _, s := range list {
		warps := max(s.warps, 1)
		c := Case{
			Group:  group,
			Name:   s.name,
			GPU:    gpu,
			Text:   worded(s.lines...),
			Warps:  1,
			Want:   s.want,
			Within: within,
			Source: s.source,
		}
		if warps > 1 { // the notes count a warp's own instructions, and a probe those of the sub-core
			c.Name = fmt.Sprintf("%s, %d warps in a sub-core", s.name, warps)
			c.Warps, c.Want = 4*warps, s.want/float64(warps)
		}
		out = append(out, c)
	}
	return out
}

// registerFiles returns the streams of Hopper and Volta.
func registerFiles() []Case {
	return append(noted("Register file of Hopper: cycles per instruction, or per round", "h100", hopperStreams()),
		noted("Register file of Volta: cycles per instruction", "titan-v", voltaStreams())...)
}
