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

// AddPipeline adds the section of a window after the section of the warps. Where the SM had no warp in the window, a
// remark at the head of the page stands for the section.
func AddPipeline(p *page.Page, w *Pipeline) {
	if len(w.Spans)+len(w.Waits) == 0 {
		p.Badges = append(p.Badges, page.Badge{Text: fmt.Sprintf("SM %d had no warp in cycles %d to %d, so that there "+
			"is no pipeline to draw", w.SM, w.From, w.To)})
		return
	}
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
	part := page.Lanes{Unit: "core cycle", From: w.From, To: w.To, Start: w.start(), Stages: stages,
		Caption: "Drag or use the arrow keys to move, + and - (or the wheel with Ctrl) to look closer."}
	for _, n := range warps {
		part.Lanes = append(part.Lanes, *lanes[n])
	}
	section := page.Section{Title: "Pipeline",
		Text: fmt.Sprintf("Each warp instruction that SM %d issued in cycles %d to %d, and where it was then; "+
			"and what each warp waited for while it issued nothing. An instruction is in issue until the register "+
			"file begins to collect its operands, for more than the cycle that issuing takes if no operand collector "+
			"is free. A register file without collectors has stages before the reads, of which an instruction holds "+
			"the last until its banks have free reads.", w.SM, w.From, w.To),
		Parts: []page.Part{page.InLanes(&part)}}
	p.Sections = slices.Insert(p.Sections, min(3, len(p.Sections)), section)
}

// start returns the cycle in which the first instruction was issued. If none was, it returns the cycle in which the
// first warp begins to wait.
func (w *Pipeline) start() uint64 {
	first := w.To
	for _, s := range w.Spans {
		first = min(first, s.Begin[0])
	}
	if len(w.Spans) > 0 {
		return first
	}
	for _, x := range w.Waits {
		first = min(first, x.From)
	}
	return first
}
