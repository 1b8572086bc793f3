package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kumiko/gpus/config"
	"kumiko/gpus/probe"
	"kumiko/kernel/cuasm"
)

// Case is a short sequence with a known time on a chip.
type Case struct {
	Group  string // title of its table
	Name   string
	GPU    string
	Text   string
	Warps  int
	File   []string // settings of the GPU's register file
	Want   float64  // cycles, measured or derived from the source's rules
	Source string
	// Of and From are instructions of the sequence, from 0. The case's cycles are counted from the issue of From to
	// the issue of Of. If both are 0, they are the cycles of a repetition, divided by Per.
	Of, From int
	Stage    int     // in place of the issue, of timeline.Stages
	Per      float64 // divisor of the cycles, in instructions; 0: one
	// Within is the tolerance, as a share of Want; 0: 3 %.
	Within float64
	// Open is why the simulated cycles are known not to agree; empty: they have to.
	Open string
	// Wrong marks a sequence that reads an old value. The case's result is then whether the operand check reports
	// it: 1 or 0.
	Wrong bool
	// Repeat is the number of repetitions; 0: 40.
	Repeat int
	// Gaps are sequences in place of Text, each with more cycles between an instruction and its reader than the one
	// before. The result is the number, from 1, of the first that reads no old value.
	Gaps []string
}

// The measurements' sources.
const (
	ca     = "CuAssembler, RegBank (sm_50)"
	huerta = "Huerta et al. (MICRO 2025)"
)

// Run simulates the case.
func (c *Case) Run() (float64, error) {
	for i, text := range c.Gaps {
		x := *c
		x.Gaps, x.Text, x.Wrong = nil, text, true
		if early, err := x.Run(); err != nil || early == 0 {
			return float64(i + 1), err
		}
	}
	if c.Gaps != nil {
		return float64(len(c.Gaps) + 1), nil
	}
	list, err := cuasm.Read(c.Name, []byte(c.Text))
	if err != nil {
		return 0, err
	}
	code := list[0].Insts
	set := probe.Settings(code)
	if code[0].Control.Set {
		set = append(set, "sched.dependences=control")
	}
	cfg, err := config.Load(config.Request{GPU: c.GPU, Set: set})
	if err == nil && len(c.File) > 0 {
		for _, s := range c.File {
			set = append(set, "regfile."+cfg.RegFile.Kind+"."+s)
		}
		cfg, err = config.Load(config.Request{GPU: c.GPU, Set: set})
	}
	if err != nil {
		return 0, err
	}
	r, err := probe.Run(cfg, code, strings.Split(c.Text, "\n"), probe.Spec{Warps: c.Warps,
		Repeat: cmp.Or(c.Repeat, repeats), Check: true, File: c.Name})
	switch {
	case c.Wrong && err != nil && strings.Contains(err.Error(), "was issued"):
		return 1, nil
	case err != nil:
		return 0, err
	case c.Wrong:
		return 0, nil
	case c.Of != 0:
		return float64(r.Instructions[c.Of].Stages[c.Stage] - r.Instructions[c.From].Stages[c.Stage]), nil
	}
	return r.Cycles / max(c.Per, 1), nil
}

// repeats is the number of repetitions of a sequence. The middle half is measured.
const repeats = 40

const (
	word  = "[B------:R-:W-:-:S01] "                // a stall of 1, no counters
	quiet = "[B012345:R-:W-:-:S15] NOP;\n" + settle // waits for everything
	// settle waits for results of fixed latency.
	settle = "[B------:R-:W-:Y:S00] NOP;\n"
)

// worded puts the control word before each line.
func worded(lines ...string) string { return word + strings.Join(lines, "\n"+word) + "\n" }

// Cases returns all cases, table by table.
func Cases() []Case {
	return slices.Concat(maxwell(), turing(), memory(), issue(), volta(), registerFiles(), hopperUnits(), visible())
}

// maxwell returns streams of multiply-adds on a Maxwell, with the cycles of six instructions.
func maxwell() []Case {
	const a, b, c = "R8, R12, R16", "R9, R13, R5", "R10, R14, R6"
	flag := func(s string, n int) string {
		f := strings.Split(s, ", ")
		for i := range n {
			f[i] += ".reuse"
		}
		return strings.Join(f, ", ")
	}
	stream := func(name string, want float64, operands ...string) Case {
		var lines []string
		for i := range 6 {
			lines = append(lines, fmt.Sprintf("FFMA R%d, %s;", 20+i, operands[i%len(operands)]))
		}
		return Case{Group: "Register file of Maxwell: cycles of six instructions", Name: name, GPU: "gtx980-sm52",
			Text: worded(lines...), Warps: 1, Want: want, Source: ca}
	}
	return []Case{
		stream("no conflict", 6.02, "R8, R9, R10"), stream("R8, R12, R16", 17.6, a),
		stream("R8.reuse, R12, R16", 11.8, flag(a, 1)), stream("R8, R12.reuse, R16", 11.8, "R8, R12.reuse, R16"),
		stream("R8.reuse, R12.reuse, R16", 6.07, flag(a, 2)), stream("R8, R8, R16", 11.77, "R8, R8, R16"),
		stream("R8.reuse, R8.reuse, R16", 6.00, flag("R8, R8, R16", 2)), stream("R9, R9, R16", 5.96, "R9, R9, R16"),
		stream("two in turn, of one bank each", 8.92, a, b), stream("the same, flagged", 6.12, flag(a, 2), flag(b, 2)),
		stream("three in turn, flagged", 8.92, flag(a, 2), flag(b, 2), flag(c, 2)),
	}
}

// turing returns register reads on Turing and Ampere, with cycles per instruction: with the reuse cache, without,
// and with two ports.
func turing() []Case {
	var out []Case
	for _, c := range []struct {
		code             string
		rfc, none, ports float64
	}{
		{"FMUL R40, R2, R4;", 2, 2, 1}, {"FMUL R40, R2, R5;", 1, 1, 1}, {"FFMA R40, R10, R12, R14;", 3, 3, 1.5},
		{"FFMA R40, R10, R12, R15;", 2, 2, 1}, {"FFMA R40, R10, R10, R14;", 2, 2, 1},
		{"FFMA R40, R10, R10, R10;", 1, 1, 1}, {"FFMA R40, R10.reuse, R12.reuse, R14;", 1, 3, 1},
		{"FFMA R40, R10.reuse, R12, R14;", 2, 3, 1},
	} {
		for _, v := range []struct {
			name string
			set  []string
			want float64
		}{{"", nil, c.rfc}, {", no cache", []string{"reuse=false"}, c.none},
			{", two ports", []string{"read_ports=2"}, c.ports}} {
			out = append(out, Case{Group: "Register file of Turing and Ampere: cycles per instruction",
				Name: strings.TrimSuffix(c.code, ";") + v.name, GPU: "rtx-a6000", Text: worded(c.code), Warps: 1,
				File: v.set, Want: v.want, Source: huerta + ", section 5.3"})
		}
	}
	return out
}

// memory returns the times in table 2 of Huerta et al.
func memory() []Case {
	var out []Case
	for _, c := range []struct {
		text     string
		war, raw float64 // 0: no result
	}{
		{"LDG.E R12, [UR2]", 9, 29}, {"LDG.E.64 R12, [UR2]", 9, 31}, {"LDG.E.128 R12, [UR2]", 9, 35},
		{"LDG.E R12, [R2]", 11, 32}, {"LDG.E.64 R12, [R2]", 11, 34}, {"LDG.E.128 R12, [R2]", 11, 38},
		{"STG.E [UR2], R12", 10, 0}, {"STG.E.64 [UR2], R12", 12, 0}, {"STG.E.128 [UR2], R12", 16, 0},
		{"STG.E [R2], R12", 14, 0}, {"STG.E.64 [R2], R12", 16, 0}, {"STG.E.128 [R2], R12", 20, 0},
		{"LDS R12, [UR2]", 9, 23}, {"LDS.64 R12, [UR2]", 9, 23}, {"LDS.128 R12, [UR2]", 9, 25},
		{"LDS R12, [R2]", 9, 24}, {"LDS.64 R12, [R2]", 9, 24}, {"LDS.128 R12, [R2]", 9, 26},
		{"STS [UR2], R12", 10, 0}, {"STS.64 [UR2], R12", 12, 0}, {"STS.128 [UR2], R12", 16, 0},
		{"STS [R2], R12", 12, 0}, {"STS.64 [R2], R12", 14, 0}, {"STS.128 [R2], R12", 18, 0},
		{"LDC R12, c[0x0][0x160]", 10, 26}, {"LDC R12, c[0x0][R2]", 29, 29}, {"LDC.64 R12, c[0x0][R2]", 29, 29},
		{"LDGSTS.E [R4], [R2]", 13, 39}, {"LDGSTS.E.64 [R4], [R2]", 13, 39}, {"LDGSTS.E.128 [R4], [R2]", 13, 39},
	} {
		for _, k := range []struct {
			what string
			wait string
			want float64
		}{{"overwriting a source", "B0-----", c.war}, {"using the result", "B-1----", c.raw}} {
			if k.want == 0 {
				continue
			}
			source := "R7"
			if k.wait == "B-1----" && !strings.HasPrefix(c.text, "LDGSTS") {
				source = "R12"
			}
			out = append(out, Case{Group: "Memory instructions that hit: cycles to the issue of the next",
				GPU: "rtx-a6000", Name: c.text + ": " + k.what, Warps: 1, Want: k.want, Of: 1,
				Source: huerta + ", table 2",
				Text: "[B------:R0:W1:-:S02] " + c.text + ";\n[" + k.wait + ":R-:W-:-:S01] FADD R2, " + source +
					", R5;\n" + quiet})
		}
	}
	loads := settle
	for i := range 8 {
		loads += fmt.Sprintf("[B------:R-:W0:-:S01] LDG.E R%d, [R2];\n", 10+i)
	}
	for i, want := range []float64{1, 2, 3, 4, 11, 15, 19} {
		out = append(out, Case{Group: "Loads one behind the other on one sub-core: cycles from the first's issue",
			Name: fmt.Sprintf("load %d", i+2), GPU: "rtx-a6000", Text: loads + quiet, Warps: 1, Of: 2 + i, From: 1,
			Want: want, Source: huerta + ", table 1"})
	}
	return out
}

// issue returns control words with their effects.
func issue() []Case {
	var out []Case
	add := func(c Case) {
		c.Group, c.GPU, c.Warps = "Issue by control words on Ampere", "rtx-a6000", 1
		out = append(out, c)
	}
	for _, c := range []struct {
		regs      string
		nop, none float64
	}{{"R19, R21", 5, 4}, {"R18, R21", 6, 4}, {"R18, R20", 7, 4}} {
		first := []string{"CS2R R50, SR_CLOCKLO;", "NOP;", "FFMA R11, R10, R12, R14;", "FFMA R13, R16, " + c.regs + ";"}
		last := "CS2R R52, SR_CLOCKLO;"
		add(Case{Name: "listing 1, " + c.regs + ": between the clocks",
			Text: worded(append(first, "NOP;", last)...) + quiet, Of: 5, Want: c.nop, Source: huerta + ", listing 1"})
		add(Case{Name: "the same without the last NOP", Text: worded(append(first[:4:4], last)...) + quiet, Of: 4,
			Want: c.none, Source: huerta + ", section 5.1.1"})
	}
	for stall, wrong := range []float64{1, 1, 1, 0} {
		add(Case{Name: fmt.Sprintf("listing 2, a stall of %d: an old value is read", stall+1), Wrong: true, Want: wrong,
			Text: fmt.Sprintf("[B------:R-:W-:-:S%02d] FADD R1, R2, R3;\n%sFFMA R5, R1, R1, R1;\n%s", stall+1, word,
				quiet),
			Source: huerta + ", listing 2"})
	}
	for _, c := range []struct {
		word string
		want float64
	}{{"Y:S01", 2}, {"Y:S00", 45}, {"-:S12", 2}, {"-:S04", 4}} {
		add(Case{Name: "yield and stall " + c.word, Text: "[B------:R-:W-:" + c.word + "] FADD R1, R2, R3;\n",
			Want: c.want, Source: huerta + ", section 4"})
	}
	depbar := `[B------:R-:W3:-:S01] LDG.E R20, [R2];
[B------:R0:W3:-:S01] LDG.E R22, [R4];
[B------:R0:W4:-:S02] LDG.E R24, [R6];
[B------:R-:W-:-:S01] IADD3 R30, R31, R32, R33;
[B------:R-:W-:-:S04] DEPBAR.LE SB0, 0x1;
[B------:R-:W-:-:S01] IADD3 R4, R31, R32, R33;
[B0--3--:R-:W-:-:S01] IADD3 R34, R20, R22, R33;
` + quiet
	for of, want := range map[int]float64{5: 15, 6: 36} {
		add(Case{Name: fmt.Sprintf("figure 2, instruction %d", of+1), Text: depbar, Of: of, Want: want,
			Source: huerta + ", figure 2 by table 2"})
	}
	return out
}

// volta returns latencies of a TITAN V. Two are left out because the simulator cannot go so low: double precision,
// measured 8.1 cycles with a minimum of 9 here, and shared memory, 19 in Jia et al. (2018) with a minimum of 20
// here.
func volta() []Case {
	const group = "Latencies of a TITAN V: cycles to the issue of an instruction that needs the result"
	const tuner = "Accel-Sim, GPU_Microbenchmark (TITAN V)"
	var out []Case
	for _, c := range []struct {
		text string
		want float64
	}{{"LDG.E R12, [R2]", 33.7}, {"MUFU.RSQ R12, R2", 21.1}} {
		out = append(out, Case{Group: group, Name: c.text, GPU: "titan-v", Warps: 1, Want: c.want, Of: 1,
			Source: tuner,
			Text:   "[B------:R0:W1:-:S02] " + c.text + ";\n[B-1----:R-:W-:-:S01] FADD R2, R12, R5;\n" + quiet})
	}
	for _, c := range []struct {
		text  string
		stall int // the measured latency
	}{{"FFMA R12, R2, R4, R6", 4}, {"IADD3 R12, R2, R4, R6", 4}, {"HFMA2 R12, R2, R4, R6", 6}} {
		for early := range 2 {
			out = append(out, Case{Group: group, GPU: "titan-v", Warps: 1, Wrong: true, Want: float64(early),
				Source: tuner, Name: fmt.Sprintf("%s, a stall of %d: an old value is read", c.text, c.stall-early),
				Text: fmt.Sprintf("[B------:R-:W-:-:S%02d] %s;\n%sFADD R14, R12, R5;\n%s", c.stall-early, c.text, word,
					quiet)})
		}
	}
	return out
}
