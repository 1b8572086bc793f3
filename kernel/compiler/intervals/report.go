package intervals

import "fmt"

// Report describes the register-intervals of one kernel.
type Report struct {
	Kernel            string     `json:"kernel"`
	Limit             int        `json:"limit"`
	Count             int        `json:"count"`
	Instructions      int        `json:"instructions"`
	LargestWorkingSet int        `json:"largest_working_set"`
	Intervals         []Describe `json:"intervals"`
}

// Describe is one interval of a report.
type Describe struct {
	ID           int      `json:"id"`
	Header       string   `json:"header"` // where it is entered: a label, or the PC of its first instruction
	Instructions int      `json:"instructions"`
	Registers    []string `json:"registers"`
	Predecessors []int    `json:"predecessors"`
	Successors   []int    `json:"successors"`
}

// NewReport describes the intervals of g made by Build.
func NewReport(g *Graph, limit int, list []Interval) Report {
	out := Report{Kernel: g.Name, Limit: limit, Count: len(list), Intervals: []Describe{}}
	for i := range list {
		v := &list[i]
		h := v.Pieces[0]
		b := &g.Blocks[h.Block]
		d := Describe{ID: i, Header: b.Label, Instructions: v.Instructions(), Registers: []string{},
			Predecessors: append([]int{}, v.Preds...), Successors: append([]int{}, v.Succs...)}
		if pc := b.First + h.From; b.Label == "" {
			d.Header = fmt.Sprint(pc)
		} else if h.From > 0 {
			d.Header = fmt.Sprintf("%s+%d", b.Label, h.From)
		}
		for _, r := range v.Registers.Registers() {
			d.Registers = append(d.Registers, fmt.Sprintf("R%d", r))
		}
		out.Instructions += d.Instructions
		out.LargestWorkingSet = max(out.LargestWorkingSet, len(d.Registers))
		out.Intervals = append(out.Intervals, d)
	}
	return out
}
