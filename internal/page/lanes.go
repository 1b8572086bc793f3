package page

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"slices"
)

// Lanes is a drawing of concurrent activity over time. Each lane has spans, and each span is a sequence of stages.
// The reader's browser draws only the visible part, so that thousands of spans scroll smoothly.
type Lanes struct {
	Caption  string
	Unit     string // of time
	From, To uint64 // the whole range
	Start    uint64 // where the drawing begins at first, from From to To
	Stages   []string
	Lanes    []Lane
}

// Lane is a row. Waits do not overlap and are drawn first. Spans are drawn below the waits, overlapping ones below
// each other.
type Lane struct {
	Name  string
	Waits []Span
	Spans []Span
}

// Span is an activity from Begin[0], or from its first stage, to End. Begin has the begin of each stage, 0 for
// absent stages. Stage 0 is always present.
type Span struct {
	Text  string
	Begin []uint64
	End   uint64
}

// InLanes returns a part with lanes.
func InLanes(l *Lanes) Part { return Part{Lanes: l} }

//go:embed lanes.js
var lanesScript string

// lanes is the form of Lanes used by the template.
type lanes struct {
	ID      string
	Caption string
	Stages  []string
	Data    template.JS
}

// drawable is the JSON read by lanes.js.
type drawable struct {
	Unit   string     `json:"unit"`
	From   uint64     `json:"from"`
	To     uint64     `json:"to"`
	Start  uint64     `json:"start"`
	Stages []string   `json:"stages"`
	Lanes  []drawLane `json:"lanes"`
}

type drawLane struct {
	Name  string     `json:"name"`
	Rows  int        `json:"rows"`
	Spans []drawSpan `json:"spans"`
}

type drawSpan struct {
	Text  string   `json:"t"`
	Row   int      `json:"r"`
	Begin []uint64 `json:"b"`
	End   uint64   `json:"e"`
}

func (l *Lanes) prepared(n int) (*lanes, error) {
	d := drawable{Unit: l.Unit, From: l.From, To: l.To, Start: min(max(l.Start, l.From), l.To), Stages: l.Stages,
		Lanes: []drawLane{}}
	for i := range l.Lanes {
		d.Lanes = append(d.Lanes, l.Lanes[i].packed())
	}
	data, err := json.Marshal(d)
	return &lanes{fmt.Sprintf("lanes-%d", n), l.Caption, l.Stages, template.JS(data)}, err
}

// packed assigns each span the lane's first row free at the span's beginning.
func (l *Lane) packed() drawLane {
	spans := slices.Clone(l.Spans)
	slices.SortStableFunc(spans, func(a, b Span) int {
		return int(int64(a.Begin[0]) - int64(b.Begin[0]))
	})
	out := drawLane{Name: l.Name, Spans: []drawSpan{}}
	var free []uint64 // by row
	if len(l.Waits) > 0 {
		free = append(free, math.MaxUint64)
	}
	for _, s := range spans {
		row := slices.IndexFunc(free, func(at uint64) bool { return at <= s.Begin[0] })
		if row < 0 {
			row = len(free)
			free = append(free, 0)
		}
		free[row] = s.End
		out.Spans = append(out.Spans, drawSpan{s.Text, row, s.Begin, s.End})
	}
	for _, s := range l.Waits {
		out.Spans = append(out.Spans, drawSpan{s.Text, 0, s.Begin, s.End})
	}
	slices.SortStableFunc(out.Spans, func(a, b drawSpan) int { return int(int64(a.Begin[0]) - int64(b.Begin[0])) })
	out.Rows = max(1, len(free))
	return out
}
