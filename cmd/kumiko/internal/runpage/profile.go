package runpage

import (
	"fmt"
	"slices"

	"kumiko/internal/page"
)

// OperandWaits has the instructions of one SM with the longest waits of operands and results.
type OperandWaits struct {
	SM           int
	From, To     uint64 // core cycles
	Sampled      string // which part is recorded; empty: all
	Instructions int    // of the profile; Rows has the first
	Rows         []InstructionWaits
}

// InstructionWaits has the waits of an instruction. Cycles are per issue.
type InstructionWaits struct {
	Kernel, Line, Text            string
	Issues                        uint64
	Share, FromBanks, HeldBy      string
	Latency                       float64
	BankWait, WriteWait, Crossbar string
}

// AddOperandWaits adds the section of a profile behind that of the warps.
func AddOperandWaits(p *page.Page, w *OperandWaits) {
	t := &page.Table{Head: []string{"kernel", "line", "instruction", "issues", "share", "latency", "banks", "results",
		"crossbar", "read", "banks held by"},
		Numeric: []bool{false, true, false, true, true, true, true, true, true, true, false},
		Class: func(_, column int) string {
			if column == 10 {
				return "wide"
			}
			return ""
		}}
	for _, x := range w.Rows {
		t.Rows = append(t.Rows, []string{x.Kernel, x.Line, x.Text, fmt.Sprint(x.Issues), x.Share,
			fmt.Sprintf("%.1f", x.Latency), x.BankWait, x.WriteWait, x.Crossbar, x.FromBanks, x.HeldBy})
	}
	text := fmt.Sprintf("Waits on SM %d in cycles %d to %d, by instruction: the share of all waits; the mean operand "+
		"latency; cycles per issue that operands waited for banks, results for banks, and operands for the crossbar; "+
		"the part of the register sources read from banks; the accesses that held the banks (own: of "+
		"the waiting warp).", w.SM, w.From, w.To)
	if n := w.Instructions; n > len(w.Rows) {
		text += fmt.Sprintf(" The %d of %d instructions with the longest waits.", len(w.Rows), n)
	}
	if w.Sampled != "" {
		text += " " + w.Sampled + "."
	}
	section := page.Section{Title: "Who waits for whom", Text: text, Parts: []page.Part{page.Tab(t)}}
	p.Sections = slices.Insert(p.Sections, min(3, len(p.Sections)), section)
}
