package runpage

import (
	"fmt"
	"slices"

	"kumiko/internal/page"
)

// Pipeline is a window of cycles of one SM, with the instructions issued by its warps.
type Pipeline struct {
	SM       int
	From, To uint64
	Stages   []string
	Spans    []Span
	Waits    []Wait
}

// Wait is a period in which a warp issued nothing, with the reason.
type Wait struct {
	Warp     int
	Reason   string
	From, To uint64
}

// Span is a warp instruction. Begin and End are as in page.Span. Bank and Crossbar are the cycles its operands
// waited for banks and for the crossbar.
type Span struct {
	Warp           int
	Text           string
	Begin          []uint64
	End            uint64
	Bank, Crossbar uint64
}

// AddPipeline adds the section of a window after the section of the warps.
func AddPipeline(p *page.Page, w *Pipeline) {
	lanes := map[int]*page.Lane{}
	var warps []int
	lane := func(warp int) *page.Lane {
		l := lanes[warp]
		if l == nil {
			l = &page.Lane{Name: fmt.Sprintf("warp %d", warp)}
			lanes[warp] = l
			warps = append(warps, warp)
		}
		return l
	}
	stages := append(slices.Clone(w.Stages), "waits to issue")
	for _, s := range w.Waits {
		begin := make([]uint64, len(stages))
		begin[0], begin[len(stages)-1] = s.From, s.From
		l := lane(s.Warp)
		l.Waits = append(l.Waits, page.Span{Text: s.Reason, Begin: begin, End: s.To})
	}
	for _, s := range w.Spans {
		l := lane(s.Warp)
		text := s.Text
		if s.Bank+s.Crossbar > 0 {
			text += fmt.Sprintf("\noperands waited %d cycles for banks, %d for the crossbar", s.Bank, s.Crossbar)
		}
		l.Spans = append(l.Spans, page.Span{Text: text, Begin: s.Begin, End: s.End})
	}
	slices.Sort(warps)
	part := page.Lanes{Unit: "core cycle", From: w.From, To: w.To, Stages: stages,
		Caption: "Drag or use the arrow keys to move, + and - (or the wheel with Ctrl) to look closer."}
	for _, n := range warps {
		part.Lanes = append(part.Lanes, *lanes[n])
	}
	section := page.Section{Title: "Pipeline",
		Text: fmt.Sprintf("Each warp instruction that SM %d issued in cycles %d to %d, and where it was then; "+
			"and what each warp waited for while it issued nothing. An instruction stays in issue, for more than the "+
			"cycle that this takes, while the register file has no operand collector for it.", w.SM, w.From, w.To),
		Parts: []page.Part{page.InLanes(&part)}}
	if len(warps) == 0 {
		section.Parts = []page.Part{page.Para("The SM issued nothing in these cycles.")}
	}
	p.Sections = slices.Insert(p.Sections, min(3, len(p.Sections)), section)
}
