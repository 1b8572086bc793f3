package runpage

import (
	"fmt"
	"slices"

	"kumiko/internal/page"
)

// Pipeline is a window of cycles of one SM: what its warps issued, and when.
type Pipeline struct {
	SM       int
	From, To uint64
	Stages   []string
	Spans    []Span
}

// Span is a warp instruction. Begin and End are as page.Span's; Bank and Crossbar are the
// cycles that its operands waited for.
type Span struct {
	Warp           int
	Text           string
	Begin          []uint64
	End            uint64
	Bank, Crossbar uint64
}

// AddPipeline adds the section of a window behind that of the warps.
func AddPipeline(p *page.Page, w *Pipeline) {
	lanes := map[int]*page.Lane{}
	var warps []int
	for _, s := range w.Spans {
		l := lanes[s.Warp]
		if l == nil {
			l = &page.Lane{Name: fmt.Sprintf("warp %d", s.Warp)}
			lanes[s.Warp] = l
			warps = append(warps, s.Warp)
		}
		text := s.Text
		if s.Bank+s.Crossbar > 0 {
			text += fmt.Sprintf("\noperands waited %d cycles for banks, %d for the crossbar", s.Bank, s.Crossbar)
		}
		l.Spans = append(l.Spans, page.Span{Text: text, Begin: s.Begin, End: s.End})
	}
	slices.Sort(warps)
	part := page.Lanes{Unit: "core cycle", From: w.From, To: w.To, Stages: w.Stages,
		Caption: "Drag or use the arrow keys to move, + and - (or the wheel with Ctrl) to look closer."}
	for _, n := range warps {
		part.Lanes = append(part.Lanes, *lanes[n])
	}
	section := page.Section{Title: "Pipeline",
		Text: fmt.Sprintf("Each warp instruction that SM %d issued in cycles %d to %d, and where it was then.",
			w.SM, w.From, w.To),
		Parts: []page.Part{page.Figured(&part)}}
	if len(warps) == 0 {
		section.Parts = []page.Part{page.Para("The SM issued nothing in these cycles.")}
	}
	p.Sections = slices.Insert(p.Sections, min(3, len(p.Sections)), section)
}
