package result

import (
	"encoding/json"
	"testing"
)

func two() []Kernel {
	a := Kernel{Name: "a", Counts: Counts{Cycles: 100, WarpInstructions: 10, ThreadInstructions: 320,
		CTAsResidentMax: 3,
		IssueSlots:      map[string]uint64{Issued: 10, "empty": 90}, Stats: map[string]uint64{"x": 1}}}
	b := Kernel{Name: "b", Counts: Counts{Cycles: 300, WarpInstructions: 30, ThreadInstructions: 480,
		CTAsResidentMax: 2,
		IssueSlots:      map[string]uint64{Issued: 30, "memory": 270}, Stats: map[string]uint64{"x": 4, "y": 2}}}
	return []Kernel{a, b}
}

// IPC of the sums: (320 + 480) / (100 + 300) = 2, not the mean of 3.2 and 1.6.
func TestTotalsAreSumsButIPCIsTheirQuotientAndResidencyTheMaximum(t *testing.T) {
	s := Sum(two())
	if s.Cycles != 400 || s.WarpInstructions != 40 || s.ThreadInstructions != 800 || s.IPC != 2 ||
		s.CTAsResidentMax != 3 {
		t.Errorf("totals %+v", s.Counts)
	}
	if s.IssueSlots[Issued] != 40 || s.IssueSlots["empty"] != 90 || s.IssueSlots["memory"] != 270 {
		t.Errorf("issue slots %v", s.IssueSlots)
	}
	if s.Stats["x"] != 5 || s.Stats["y"] != 2 {
		t.Errorf("stats %v", s.Stats)
	}
}

func TestTheDocumentHasTheKeysThatOthersRead(t *testing.T) {
	r := Result{Kernels: two(), Complete: true}
	r.Finish(4)
	b, err := json.Marshal(&r)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]json.RawMessage
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	for _, k := range []string{"version", "gpu", "design", "config_hash", "program_hash", "complete", "kernels",
		"total", "expect",
		"wall_seconds", "warp_instructions_per_second"} {
		if _, ok := doc[k]; !ok {
			t.Errorf("key %q is missing", k)
		}
	}
	var kernels []map[string]json.RawMessage
	if err := json.Unmarshal(doc["kernels"], &kernels); err != nil {
		t.Fatal(err)
	}
	for _, k := range []string{"name", "grid", "block", "registers_per_thread", "shared_bytes", "cycles",
		"warp_instructions",
		"thread_instructions", "ipc", "ctas_resident_max", "issue_slots", "stats"} {
		if _, ok := kernels[0][k]; !ok {
			t.Errorf("key %q of a kernel is missing", k)
		}
	}
	if r.WarpInstructionsPerSecond != 10 { // 40 in 4 s
		t.Errorf("%v warp instructions per second, want 10", r.WarpInstructionsPerSecond)
	}
	if string(doc["expect"]) != "[]" {
		t.Errorf("expect is %s, want an empty array", doc["expect"])
	}
}
