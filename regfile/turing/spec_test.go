package turing

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/spec"
	"kumiko/components/spec/spectest"
	"kumiko/components/stats"
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

func TestTheSettingsAreTakenWithinTheirBoundsAlone(t *testing.T) {
	x := spectest.Of(t, Default, (*Spec).Check)
	x.Within("banks", 1, maxBanks, func(s *Spec, v int) { s.Banks = v })
	x.Within("window", 1, maxWindow, func(s *Spec, v int) { s.Window = v })
	x.Within("result_queue", ir.NumDests, spec.MostQueue, func(s *Spec, v int) { s.Queue = v })
	x.Within("forward", 0, maxForward, func(s *Spec, v int) { s.Forward = v })
	x.Refused("bank_index", func(s *Spec) { s.BankIndex = "warp" })
}

// Registers are numbered by 7 bits of 128, and warps by 4 bits of the 16 of a scheduler.
func TestTheStorageOfEachBlockIsToldInBits(t *testing.T) {
	env := environment(wire.NewDomain("Core", 1e9), &stats.Registry{}, 64)
	env.Schedulers, env.Capacity = 4, 2048
	env.Units = nil
	for s := range 4 {
		env.Units = append(env.Units, regfile.Unit{Name: "FMA", Kind: "fma", Sched: s})
	}
	env.Units = append(env.Units, regfile.Unit{Name: "LSU", Kind: "lsu", Sched: regfile.Shared})
	for _, reuse := range []bool{true, false} {
		s := Default()
		s.Reuse, s.Ports = reuse, 2
		f, err := New(env, s)
		if err != nil {
			t.Fatal(err)
		}
		want := []regfile.State{
			{Block: "Bank", What: "registers", Count: 8, Bits: 2048 * 1024, Ports: "2r1w",
				Kind: storage.SRAM, Width: 1024},
			{Block: "Latch", What: "operands", Count: 32, Bits: 32 * 3 * 1024, Kind: storage.FlipFlop,
				Width: 3 * 1024},
			{Block: "Result queue", What: "registers", Count: 8, Bits: 8 * 8 * (1024 + 4 + 7),
				Kind: storage.FlipFlop, Width: 1024 + 4 + 7},
			{Block: "Allocate", What: "reserved ports", Count: 4, Bits: 4 * 2 * 3 * 2, // 0 to 2
				Kind: storage.FlipFlop, Width: 2},
		}
		if reuse {
			want = append(want, regfile.State{Block: "Register file cache", What: "registers and tags", Count: 24,
				Bits: 24 * (1024 + 4 + 7 + 1), Kind: storage.FlipFlop, Width: 1024 + 4 + 7 + 1})
		}
		if d := cmp.Diff(want, f.State()); d != "" {
			t.Errorf("reuse %v (-want +got):\n%s", reuse, d)
		}
	}
}
