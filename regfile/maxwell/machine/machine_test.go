package machine_test

import (
	"testing"

	"kumiko/benchmarks/benchtest"
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

// The internal banks of a component appear like others: 16 of each SM. Their reads and conflicts add up to the
// statistics.
func TestBanksWithinAComponentAreListed(t *testing.T) {
	m := machinetest.GPU(t, "gtx980-sm52", gpus.Options{}, "sm.count=2")
	benchtest.On(t, m, "sgemm")
	banks := m.Blocks().Banks
	if len(banks) != 32 {
		t.Fatalf("%d banks, want 32", len(banks))
	}
	var reads, conflicts, want, wantConflicts uint64
	for _, b := range banks {
		reads += b.Reads
		conflicts += b.ReadConflicts
	}
	for _, k := range m.Results() {
		want += k.Stats["regfile.bank.reads.operand"]
		wantConflicts += k.Stats["regfile.maxwell.conflicts"]
	}
	if reads == 0 || reads != want || conflicts == 0 || conflicts != wantConflicts {
		t.Errorf("%d reads and %d conflict cycles, want %d and %d", reads, conflicts, want, wantConflicts)
	}
}
