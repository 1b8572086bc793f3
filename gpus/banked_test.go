package gpus

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

// The internal banks of a component appear like others: 16 of each SM. Their reads and conflicts add up to the
// statistics.
func TestBanksWithinAComponentAreListed(t *testing.T) {
	m := testMachine(t, "gtx980-sm52", Options{}, "sm.count=2")
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
