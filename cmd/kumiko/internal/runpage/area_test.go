package runpage

import (
	"strings"
	"testing"

	"kumiko/gpus/result"
)

func TestTheAreaOfARunIsShownByRowWithWhatThePaperDoesNotCount(t *testing.T) {
	a := &result.Area{Source: "CACTI", NM: 45, Uncounted: []string{"Switcher: contexts"}, Rows: []result.AreaRow{
		{Block: "Bank", What: "registers", Kind: "sram", Arrays: 16, Entries: 128, Width: 1024, Ports: "2rw",
			UM2: 3e6},
		{Block: "Queue", What: "registers", Kind: "flip-flop", Arrays: 1, Entries: 1, Width: 100, Ports: "1r1w",
			UM2: 1e6, Apart: true}}}
	a.Finish()
	s := area(a)
	text := s.Text
	for _, row := range s.Parts[0].Table.Rows {
		text += "\n" + strings.Join(row, "|")
	}
	for _, want := range []string{"45 nm (CACTI): 4 mm^2, of which 1 mm^2", "Without an area: Switcher: contexts.",
		"Bank|registers|16|128|1\u202f024|2rw|sram|3 mm^2|75.0 %|yes",
		"Queue|registers|1|1|100|1r1w|flip-flop|1 mm^2|25.0 %|no"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if got := Square(638.25); got != "638 um^2" {
		t.Errorf("a small area is %s", got)
	}
}
