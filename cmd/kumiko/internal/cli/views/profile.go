package views

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/runpage"
	"kumiko/gpus/timeline"
)

// writeProfile writes a profile: as JSON if the name of the file ends in .json, as a table
// otherwise.
func writeProfile(w io.Writer, file string, p *timeline.ProfileReport) error {
	if strings.EqualFold(filepath.Ext(file), ".json") {
		return app.WriteJSON(w, p)
	}
	fmt.Fprintf(w,
		"Operand waits of SM %d in cycles %d to %d, by instruction, the longest first. Cycles are per issue.\n%s\n\n",
		p.SM, p.From, p.To, runpage.InLaunches(p.Launched))
	if s := sampledText(&p.Share); s != "" {
		fmt.Fprintf(w, "%s.\n\n", s)
	}
	t := app.NewTable(w)
	t.Row("kernel", "pc", "line", "instruction", "issues", "share", "latency", "bank", "write", "crossbar",
		"from banks", "held by")
	total := profileTotal(p)
	for i := range p.Instructions {
		x := &p.Instructions[i]
		t.Row(x.Kernel, x.PC, lineOf(x.Line), x.Text, x.Issues,
			runpage.Share(x.BankWait+x.WriteWait+x.CrossbarWait, total),
			fmt.Sprintf("%.1f", x.MeanOperandLatency), perIssue(x.BankWait, x), perIssue(x.WriteWait, x),
			perIssue(x.CrossbarWait, x), fromBanks(x), heldBy(x, 3))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(p.Between) > 0 {
		t = app.NewTable(w)
		t.Row("\nkernel that waits for banks", "stream", "kernel that holds them", "stream", "cycles",
			"share of all waits")
		for _, x := range p.Between {
			t.Row(app.KernelName(x.Waiting), x.WaitingStream, app.KernelName(x.Holding), x.HoldingStream, x.Cycles,
				runpage.Share(x.Cycles, total))
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	t = app.NewTable(w)
	t.Row("\ncycles of a wait", "operands for a bank", "operands for the crossbar")
	bank, crossbar := map[string]uint64{}, map[string]uint64{}
	var order []string
	for _, b := range p.BankWaits {
		bank[b.String()] = b.Count
		order = append(order, b.String())
	}
	for _, b := range p.CrossbarWaits {
		crossbar[b.String()] = b.Count
		if bank[b.String()] == 0 {
			order = append(order, b.String())
		}
	}
	for _, b := range order {
		t.Row(b, bank[b], crossbar[b])
	}
	return t.Flush()
}

// sampledText returns the recorded part of a sampled profile in words; empty: the profile has all.
func sampledText(s *timeline.SampledShare) string {
	if s.Interval == 1 {
		return ""
	}
	return fmt.Sprintf("Sampled: one of %d windows of %d cycles; recorded %d of %d issued instructions (%s) in %d "+
		"cycles", s.Interval, s.WindowCycles, s.Recorded, s.Issues, runpage.Share(s.Recorded, s.Issues), s.Cycles)
}

// profileTotal returns the cycles of all waits.
func profileTotal(p *timeline.ProfileReport) (n uint64) {
	for i := range p.Instructions {
		x := &p.Instructions[i]
		n += x.BankWait + x.WriteWait + x.CrossbarWait
	}
	return n
}

// lineOf returns the line of the program's text, or - for an instruction of the compiler.
func lineOf(line int) string {
	if line == 0 {
		return "-"
	}
	return fmt.Sprint(line)
}

// perIssue returns cycles per issue of an instruction.
func perIssue(n uint64, x *timeline.Profiled) string {
	if x.Issues == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", float64(n)/float64(x.Issues))
}

// fromBanks returns the part of the register sources that was read from banks.
func fromBanks(x *timeline.Profiled) string {
	if x.BankReads == nil {
		return "-"
	}
	return runpage.Share(*x.BankReads, x.RegisterSources)
}

// pageRows bounds the instructions that a page lists.
const pageRows = 30

// operandWaits returns a profile in the form of a page's section.
func operandWaits(p *timeline.ProfileReport) *runpage.OperandWaits {
	out := &runpage.OperandWaits{SM: p.SM, From: p.From, To: p.To, Launched: p.Launched, Sampled: sampledText(&p.Share),
		Instructions: len(p.Instructions), Registers: registerWaits(p), Length: p.Time.Length}
	for _, b := range p.Time.Banks {
		for k, n := range b.Cycles {
			if n > 0 {
				out.Time = append(out.Time, runpage.BankTime{Bank: b.Bank, At: p.Time.From + uint64(k)*p.Time.Length,
					Cycles: n})
			}
		}
	}
	total := profileTotal(p)
	for i := range p.Instructions[:min(pageRows, len(p.Instructions))] {
		x := &p.Instructions[i]
		out.Rows = append(out.Rows, runpage.InstructionWaits{Kernel: x.Kernel,
			PC: fmt.Sprint(x.PC), Line: lineOf(x.Line), Text: x.Text,
			Issues: x.Issues,
			Share:  runpage.Share(x.BankWait+x.WriteWait+x.CrossbarWait, total), Latency: x.MeanOperandLatency,
			BankWait: perIssue(x.BankWait, x), WriteWait: perIssue(x.WriteWait, x),
			Crossbar: perIssue(x.CrossbarWait, x), FromBanks: fromBanks(x), HeldBy: heldBy(x, 2)})
	}
	return out
}
