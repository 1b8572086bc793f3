package timeline_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus/result"
	"kumiko/gpus/timeline"
)

func TestAProfileInShortAddsUpPairsOfRegistersTheLongestFirst(t *testing.T) {
	p := timeline.ProfileReport{SM: 2, From: 5, To: 90, Instructions: []timeline.Profiled{
		{Kernel: "k", PC: 3, Text: "fma", Issues: 10, BankWait: 7, WriteWait: 2, CrossbarWait: 5,
			Holders: []timeline.Holder{{Waiting: "R4", Register: "R8", Cycles: 3},
				{Waiting: "R4", Register: "R12", Cycles: 4}, {Waiting: "R4", Cycles: 1}, {Register: "R8", Cycles: 1}}},
		{Kernel: "k", PC: 4, Text: "add", Issues: 30,
			Holders: []timeline.Holder{{Waiting: "R4", Register: "R8", Bank: "Bank[1]", Cycles: 2}}}}}
	got := p.Waits()
	want := &result.Waits{SM: 2, From: 5, To: 90, Instructions: []result.InstructionWaits{
		{Kernel: "k", PC: 3, Text: "fma", Issues: 10, Bank: 7, Write: 2, Crossbar: 5},
		{Kernel: "k", PC: 4, Text: "add", Issues: 30}},
		Registers: []result.RegisterWaits{{Waiting: "R4", Holding: "R8", Cycles: 5},
			{Waiting: "R4", Holding: "R12", Cycles: 4}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := got.Instructions[0].PerIssue(); n != 1.4 || got.Issues() != 40 {
		t.Errorf("%v cycles per issue of %d, want 1.4 of 40", n, got.Issues())
	}
	mangled := result.InstructionWaits{Kernel: "_Z4tilePKfPfi", PC: 7, Text: "add"}
	if name := mangled.Name(); name != "tile, pc 7: add" {
		t.Errorf("found %q, want the kernel's name as it is written", name)
	}
	each := map[string]float64{"operands, for banks": 7. / 40, "results, for banks": 2. / 40,
		"operands, for the crossbar": 5. / 40}
	if diff := cmp.Diff(each, got.PerIssue()); diff != "" {
		t.Errorf("per issue (-want +got):\n%s", diff)
	}
}
