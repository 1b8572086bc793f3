package page

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"slices"
)

// Lanes are what happens beside each other over time: in each lane spans, each of which is a
// sequence of stages. The reader's browser draws what is in sight, so that thousands of spans
// scroll smoothly.
type Lanes struct {
	Caption  string
	Unit     string // of time
	From, To uint64 // what is shown at first: all of it
	Stages   []string
	Lanes    []Lane
}

// Lane is a row. Spans that overlap are drawn below each other, all of them below Waits,
// which do not overlap.
type Lane struct {
	Name  string
	Waits []Span
	Spans []Span
}

// Span is one thing from Begin[0] on, or from the first stage that it has, to End. Begin has
// where each stage begins, 0 where the span does not have it, which stage 0 always is.
type Span struct {
	Text  string
	Begin []uint64
	End   uint64
}

// InLanes is a part that is lanes.
func InLanes(l *Lanes) Part { return Part{Lanes: l} }

//go:embed lanes.js
var lanesScript string

// lanes is a Lanes as the template has it.
type lanes struct {
	ID      string
	Caption string
	Stages  []string
	Data    template.JS
}

// drawable is the JSON that lanes.js reads.
type drawable struct {
	Unit   string     `json:"unit"`
	From   uint64     `json:"from"`
	To     uint64     `json:"to"`
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
	d := drawable{Unit: l.Unit, From: l.From, To: l.To, Stages: l.Stages, Lanes: []drawLane{}}
	for i := range l.Lanes {
		d.Lanes = append(d.Lanes, l.Lanes[i].packed())
	}
	data, err := json.Marshal(d)
	return &lanes{fmt.Sprintf("lanes-%d", n), l.Caption, l.Stages, template.JS(data)}, err
}

// packed gives each span the first row of the lane that is free when it begins.
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
