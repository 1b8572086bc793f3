package maxwell_test

import (
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
)

// Every operand is checked, and the applications compare the contents of memory at the end with results of their
// own. Without control words nothing hits.
func TestApplicationsAreRightAndReadEveryOperandFromTheBanks(t *testing.T) {
	gpu := []config.Request{{GPU: "gtx980-sm52"}, {GPU: "gtx980", Design: "maxwell"}, {GPU: "fermi", Design: "maxwell",
		Set: []string{"regfile.maxwell.stages=3", "regfile.maxwell.banks=8"}}}
	slots := uint64(0)
	for i, name := range []string{"hotspot", "kmeans", "lbm", "nw", "sgemm"} {
		r := gpu[i%len(gpu)]
		reads, hits := uint64(0), uint64(0)
		for _, k := range machinetest.Run(t, r, gpus.Options{}, name) {
			reads += k.Stats["regfile.bank.reads.operand"]
			slots += k.IssueSlots["halt"]
			hits += k.Stats["regfile.maxwell.reuse_hits"]
		}
		if reads == 0 || hits != 0 {
			t.Errorf("%s %v: %d reads, %d hits", name, r, reads, hits)
		}
	}
	if slots == 0 {
		t.Error("no issue slot was lost to halts")
	}
}
