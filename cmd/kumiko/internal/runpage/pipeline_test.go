package runpage

import (
	"slices"
	"strings"
	"testing"

	"kumiko/gpus/result"
	"kumiko/internal/page"
)

func TestThePipelineBeginsAtTheFirstInstructionOfItsWindow(t *testing.T) {
	waits := []Wait{{Warp: 1, Reason: "drained", From: 5000, To: 6100}}
	for _, k := range []struct {
		spans []Span
		want  uint64
	}{
		{[]Span{{Begin: []uint64{6200, 6201}, End: 6300}, {Begin: []uint64{6100, 6101}, End: 6400}}, 6100},
		{nil, 5000},
	} {
		p := page.Page{}
		AddPipeline(&p, &Pipeline{From: 4000, To: 9000, Stages: []string{"issue", "read"}, Spans: k.spans,
			Waits: waits})
		if got := p.Sections[0].Parts[0].Lanes; got.Start != k.want || got.From != 4000 || got.To != 9000 {
			t.Errorf("%d of %d to %d, want %d of 4000 to 9000", got.Start, got.From, got.To, k.want)
		}
	}
}

func TestAWindowInWhichNothingHappensHasNoSections(t *testing.T) {
	p := page.Page{}
	AddPipeline(&p, &Pipeline{SM: 2, From: 5000, To: 9000})
	AddOperandWaits(&p, &OperandWaits{From: 5000, To: 9000})
	if len(p.Sections) != 0 || len(p.Badges) != 1 ||
		!strings.Contains(p.Badges[0].Text, "SM 2 had no warp in cycles 5000") {
		t.Errorf("sections %v, badges %v", p.Sections, p.Badges)
	}
}

// t of two degrees of freedom is 4.303, and the deviation is 0.1: half of the interval is 0.248.
func TestThePageOfPerturbedRunsHasTheirInterval(t *testing.T) {
	r := &result.Result{Total: result.Total{Counts: result.Counts{Cycles: 1000, IPC: 2}}}
	r.Perturb(&result.Total{Counts: result.Counts{Cycles: 1100, IPC: 2.1}})
	r.Perturb(&result.Total{Counts: result.Counts{Cycles: 900, IPC: 2.2}})
	tiles := New(r, &Doc{}).Tiles
	at := slices.IndexFunc(tiles, func(x page.Tile) bool { return x.Label == "IPC" })
	if at < 0 || tiles[at].Value != "2.00 ± 0.25" || !strings.Contains(tiles[at].Note, "±: half of the interval") {
		t.Errorf("%+v", tiles)
	}
	if !strings.Contains(tiles[0].Note, "900 to 1\u202f100 with 2 perturbed runs") {
		t.Errorf("%+v", tiles[0])
	}
}
