package runpage

import (
	"strings"
	"testing"

	"kumiko/gpus/result"
	"kumiko/internal/page/svg"
)

func TestTheEnergyOfARunIsDrawnWithTheSourceOfEachNumber(t *testing.T) {
	e := &result.Energy{Table: "mine.toml", Source: "table 3", Notes: []string{"without leakage"},
		Uncharged: []string{"regfile.bow"}, Rows: []result.EnergyRow{
			{Block: "banks", What: "reads", Source: "section 4", Events: 1200, AccessesPerEvent: 2, PJPerAccess: 10,
				PJ: 24_000},
			{Block: "leakage", What: "arrays", Source: "section 5", PowerMW: 2, Microseconds: 3, PJ: 6000}}}
	e.Finish(10)
	s := energy(e)
	d, err := svg.New()
	if err != nil {
		t.Fatal(err)
	}
	figures, text := 0, s.Text
	for _, part := range s.Parts {
		if part.Figure != nil {
			figures++
			data, err := d.Draw(part.Figure.Spec)
			if err != nil || !strings.Contains(string(data), "banks") || !strings.Contains(string(data), "leakage") {
				t.Errorf("the drawing lacks a block: %v", err)
			}
		}
		if part.Table != nil {
			for _, row := range part.Table.Rows {
				text += "\n" + strings.Join(row, "|")
			}
		}
	}
	if figures != 1 {
		t.Errorf("%d figures, want 1", figures)
	}
	for _, want := range []string{"30 nJ, 3000 pJ per warp instruction", "Without leakage.", "regfile.bow",
		"banks|24 nJ|2400.0|80.0 %", "banks|reads|1\u202f200|20||24 nJ|80.0 %|section 4",
		"leakage|arrays|||2|6 nJ|20.0 %|section 5"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
