package machine_test

import (
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
)

// Every operand is checked, and the applications compare the contents of memory at the end with results of their
// own. With the compiler's control words some operands are found in the cache, without words none.
func TestApplicationsAreRightAndReadEveryOperandFromTheBanks(t *testing.T) {
	gpu := []config.Request{{GPU: "rtx-a6000"}, {GPU: "gtx980", Design: "turing"}, {GPU: "fermi", Design: "turing",
		Set: []string{"regfile.turing.read_ports=2", "regfile.turing.banks=4"}}}
	slots := uint64(0)
	for i, name := range []string{"hotspot", "kmeans", "lbm", "nw", "sgemm"} {
		r := gpu[i%len(gpu)]
		reads, hits := uint64(0), uint64(0)
		for _, k := range machinetest.Run(t, r, gpus.Options{}, name) {
			reads += k.Stats["regfile.bank.reads.operand"]
			slots += k.IssueSlots["allocate"]
			hits += k.Stats["regfile.allocate.reuse_hits"]
		}
		if reads == 0 || (hits != 0) != (i%len(gpu) == 0) {
			t.Errorf("%s %v: %d reads, %d hits", name, r, reads, hits)
		}
	}
	if slots == 0 {
		t.Error("no issue slot was lost to held instructions")
	}
}
