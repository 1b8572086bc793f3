package runpage

import (
	"strings"
	"testing"

	"kumiko/gpus/result"
	"kumiko/internal/page/svg"
)

// The names of kernels come from programs and traces.
func TestKernelsOfAnyNameAreDrawn(t *testing.T) {
	names := []string{"constructor", "__proto__", "toString", `void f<"a\b", 'c'>(int)`, "a\u2028b", "${x}", "datum.x",
		"plain"}
	r := &result.Result{Program: "a\nb", GPU: `g\h`, Version: "1"}
	for i, n := range names {
		r.Kernels = append(r.Kernels, result.Kernel{Name: n, Grid: [3]int{1, 1, 1}, Block: [3]int{32, 1, 1},
			Counts: result.Counts{Cycles: uint64(100 + i), WarpInstructions: 10,
				IssueSlots: map[string]uint64{"issued": 10, "memory": 90},
				WarpStates: map[string]uint64{"ready": 5, "memory": 20}}})
	}
	r.Finish(1)
	d, err := svg.New()
	if err != nil {
		t.Fatal(err)
	}
	p := New(r, &Doc{Reasons: []Reason{{Name: "issued"}, {Name: "memory"}}})
	figures := 0
	for _, s := range p.Sections {
		for _, part := range s.Parts {
			if part.Figure == nil {
				continue
			}
			figures++
			data, err := d.Draw(part.Figure.Spec)
			if err != nil {
				t.Errorf("%s: %v", s.Title, err)
				continue
			}
			for _, want := range []string{"constructor", "__proto__", "toString", `a\b`, "datum.x", "plain"} {
				if !strings.Contains(string(data), want) {
					t.Errorf("%s: %q is not in the drawing", s.Title, want)
				}
			}
		}
	}
	if figures != 3 {
		t.Errorf("%d figures, want 3", figures)
	}
	if err := p.Write(&strings.Builder{}); err != nil {
		t.Error(err)
	}
}
