package runpage

import (
	"cmp"
	"fmt"
	"slices"

	"kumiko/internal/page"
)

// OperandWaits has the instructions of one SM with the longest waits of operands and results.
type OperandWaits struct {
	SM           int
	From, To     uint64 // core cycles
	Launched     uint64 // of these in launches
	Sampled      string // which part is recorded; empty: all
	Instructions int    // of the profile; Rows has the first
	Rows         []InstructionWaits
	Time         []BankTime
	Length       uint64 // of the spans of Time, in cycles
	Registers    []RegisterWaits
}

// BankTime has the cycles of waits for a bank in the span of cycles from At on.
type BankTime struct {
	Bank       string
	At, Cycles uint64
}

// RegisterWaits has the cycles that a register waited for a bank.
type RegisterWaits struct {
	Bank, Register string
	Cycles         uint64
}

// InstructionWaits has the waits of an instruction. Cycles are per issue.
type InstructionWaits struct {
	Kernel, PC, Line, Text        string
	Issues                        uint64
	Share, FromBanks, HeldBy      string
	Latency                       float64
	BankWait, WriteWait, Crossbar string
}

// AddOperandWaits adds the section of a profile behind that of the warps. Where nothing was issued, there is none.
func AddOperandWaits(p *page.Page, w *OperandWaits) {
	if len(w.Rows) == 0 {
		return
	}
	t := &page.Table{Head: []string{"kernel", "pc", "line", "instruction", "issues", "share", "latency", "banks",
		"results", "crossbar", "read", "banks held by"},
		Numeric: []bool{false, true, true, false, true, true, true, true, true, true, true, false},
		Class: func(_, column int) string {
			if column == 11 {
				return "wide"
			}
			return ""
		}}
	for _, x := range w.Rows {
		t.Rows = append(t.Rows, []string{x.Kernel, x.PC, x.Line, x.Text, fmt.Sprint(x.Issues), x.Share,
			fmt.Sprintf("%.1f", x.Latency), x.BankWait, x.WriteWait, x.Crossbar, x.FromBanks, x.HeldBy})
	}
	text := fmt.Sprintf("Waits on SM %d in cycles %d to %d, by instruction: the share of all waits; the mean operand "+
		"latency; cycles per issue that operands waited for banks, results for banks, and operands for the crossbar; "+
		"the part of the register sources read from banks; the accesses that held the banks (own: of "+
		"the waiting warp), with the two registers and the bank.", w.SM, w.From, w.To) + " " + InLaunches(w.Launched)
	if n := w.Instructions; n > len(w.Rows) {
		text += fmt.Sprintf(" The %d of %d instructions with the longest waits.", len(w.Rows), n)
	}
	if w.Sampled != "" {
		text += " " + w.Sampled + "."
	}
	section := page.Section{Title: "Who waits for whom", Text: text, Parts: append(bankWaits(w), page.Tab(t))}
	p.Sections = slices.Insert(p.Sections, min(3, len(p.Sections)), section)
}

// InLaunches says how many of the cycles of a profile are in launches, and what the others are for.
func InLaunches(cycles uint64) string {
	return fmt.Sprintf("%d of the cycles are in launches; in those between and behind them the last messages arrive.",
		cycles)
}

// mostRegisters bounds the columns of the map of registers.
const mostRegisters = 40

// bankWaits returns maps of the waits for banks: over time, and by register.
func bankWaits(w *OperandWaits) (out []page.Part) {
	var banks []string
	if len(w.Time) > 0 {
		var rows []row
		for _, x := range w.Time {
			if n := partName(x.Bank); !slices.Contains(banks, n) {
				banks = append(banks, n)
			}
			rows = append(rows, row{"bank": partName(x.Bank), "at": x.At, "end": min(x.At+w.Length, w.To),
				"cycles": x.Cycles})
		}
		spec := waitMap(rows, banks, row{"field": "at", "type": "quantitative", "title": "core cycle",
			"scale": row{"domain": []uint64{w.From, w.To}, "nice": false}, "axis": row{"tickCount": 8}},
			tip("bank", "bank", "", "at", "from cycle", ",", "cycles", "cycles waited", ","))
		spec["encoding"].(row)["x2"] = row{"field": "end"}
		spec["width"], spec["usermeta"] = 680, page.Least(150)
		out = append(out, page.Fig(fmt.Sprintf("Cycles that operands and results waited for each bank, in spans of %s "+
			"cycles.", grouped3(w.Length)), spec))
	}
	if len(w.Registers) > 0 {
		names, rows := mostWaiting(w.Registers), []row{}
		for _, x := range w.Registers {
			if slices.Contains(names, x.Register) {
				rows = append(rows, row{"bank": partName(x.Bank), "register": x.Register, "cycles": x.Cycles})
			}
		}
		spec := waitMap(rows, banks, row{"field": "register", "type": "nominal", "title": "register that waited",
			"sort": names, "axis": row{"labelAngle": -90}},
			tip("bank", "bank", "", "register", "register", "", "cycles", "cycles waited", ","))
		spec["width"] = row{"step": 16}
		out = append(out, page.Fig("The same by register: another access had the bank.", spec))
	}
	return out
}

// waitMap returns a map of cycles over banks and x.
func waitMap(rows []row, banks []string, x row, tips []row) row {
	return row{
		"height": row{"step": 15}, "data": row{"values": rows}, "mark": "rect",
		"encoding": row{
			"x": x,
			"y": row{"field": "bank", "type": "nominal", "title": nil, "sort": banks,
				"axis": row{"ticks": false, "domain": false}},
			"color": row{"field": "cycles", "type": "quantitative", "scale": row{"scheme": "oranges", "domainMin": 0},
				"legend": row{"title": "cycles waited", "labelExpr": "format(datum.value, '~s')",
					"gradientLength": 120}},
			"tooltip": tips,
		},
	}
}

// mostWaiting returns the registers that waited most, in the order of their numbers.
func mostWaiting(list []RegisterWaits) []string {
	sums := map[string]uint64{}
	for _, x := range list {
		sums[x.Register] += x.Cycles
	}
	names := sortedKeys(sums)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(sums[b], sums[a]) })
	names = names[:min(mostRegisters, len(names))]
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	return names
}
