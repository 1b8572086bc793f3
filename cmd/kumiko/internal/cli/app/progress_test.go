package app

import (
	"bytes"
	"testing"

	"kumiko/gpus"
)

func TestProgressIsPlainLinesAwayFromATerminal(t *testing.T) {
	var out bytes.Buffer
	r := NewReporter(&out)
	r.Launched("k")
	r.Report(gpus.Progress{Kernel: "k", Cycle: 5, Done: 1, CTAs: 2}) // too early to say anything
	r.start = r.start.Add(-Patience)
	r.Report(gpus.Progress{Kernel: "k", Cycle: 5, Done: 1, CTAs: 2})
	r.Report(gpus.Progress{Kernel: "k", Cycle: 6, Done: 1, CTAs: 2}) // too soon after the last
	if out.String() != "k (launch 1): cycle 5, 1 of 2 CTAs done, 2 s\n" {
		t.Errorf("%q", out.String())
	}
}
