package maxwell

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// big returns an SM of four schedulers, each with a unit of its own, and a shared unit.
func big(capacity int) *regfile.Env {
	env := environment(wire.NewDomain("Core", 1e9), &stats.Registry{}, 64)
	env.Schedulers, env.Capacity = 4, capacity
	env.Units = nil
	for s := range 4 {
		env.Units = append(env.Units, regfile.Unit{Name: "SP", Kind: "sp", Sched: s})
	}
	env.Units = append(env.Units, regfile.Unit{Name: "LSU", Kind: "lsu", Sched: regfile.Shared})
	return env
}

// Registers are numbered by 7 bits of 128, and warps by 4 bits of the 16 of a scheduler.
func TestTheStorageOfEachBlockIsToldInBits(t *testing.T) {
	for capacity, registers := range map[int]int{2048: 2048, 0: 64 * 128} {
		for _, reuse := range []bool{true, false} {
			s := Default()
			s.Reuse, s.Stages, s.Latches, s.Queue = reuse, 3, 2, 5
			f, err := New(big(capacity), s)
			if err != nil {
				t.Fatal(err)
			}
			want := []regfile.State{
				{Block: "Bank", What: "registers", Count: 16, Bits: registers * 1024, Ports: "1r1w",
					Kind: storage.SRAM, Width: 1024},
				{Block: "Collector", What: "operands", Count: 12, Bits: 12 * 4 * 1024, Kind: storage.FlipFlop,
					Width: 4 * 1024},
				{Block: "Latch", What: "operands", Count: 16, Bits: 16 * 3 * 1024, Kind: storage.FlipFlop,
					Width: 3 * 1024},
				{Block: "Result queue", What: "registers", Count: 16, Bits: 16 * 5 * (1024 + 4 + 7),
					Kind: storage.FlipFlop, Width: 1024 + 4 + 7},
			}
			if reuse {
				want = append(want, regfile.State{Block: "Collector", What: "tags of the reuse cache", Count: 12,
					Bits: 12 * 4 * (4 + 7 + 2), Kind: storage.CAM, Width: 4 + 7 + 2})
			}
			if d := cmp.Diff(want, f.State()); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		}
	}
}

// Two instructions of a cycle need a collector each; only the first one's collector has tags.
func TestPairsHaveTwiceTheCollectors(t *testing.T) {
	env := big(2048)
	env.IssueWidth = 2
	f, err := New(env, Default())
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, s := range f.State() {
		count[s.What] += s.Count
	}
	if a, b := count["tags of the reuse cache"], 4*Default().Stages; a != b {
		t.Errorf("%d collectors have tags, want %d", a, b)
	}
	if a, b := f.State()[1].Count, 8*Default().Stages; a != b {
		t.Errorf("%d collectors, want %d", a, b)
	}
}

// The first instruction takes three cycles, with nothing moving in the last, and names R1 twice; the second takes
// two.
func TestInstructionsAndTheirTimeAreCounted(t *testing.T) {
	r := newRig(t, nil)
	r.send(10, 0, 0, fma(40, 0, 1, 5, 9, 1))
	r.send(20, 0, 0, fma(41, 0, 2))
	r.send(30, 0, 0, fma(42, 0))
	r.run()
	for name, want := range map[string]uint64{"operations": 3, "merged_reads": 1, "operand_latency": 2 + 1,
		"halts": 1} {
		if got := r.Stat("maxwell." + name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	d := r.Stats.Distributions()
	if len(d) != 1 {
		t.Fatalf("%d distributions, want 1", len(d))
	}
	counts := d[0].Counts()
	if counts[1] != 1 || counts[2] != 1 || d[0].Name != "regfile.maxwell.operand_latency" {
		t.Errorf("%s: %v, want one of 1 and one of 2", d[0].Name, counts)
	}
}

func TestWhatWaitsIsCounted(t *testing.T) {
	r := newRig(t, nil)
	r.stopped = true
	for i := range wire.Cycle(5) { // one at the unit, one in its latch, two in stages, one before them
		r.send(10+i, 0, 1, fma(-1, 0, 1))
	}
	in := fma(7, 0)
	r.Result[0].Send(29, op.Result{Inst: in, Exec: all})
	r.Domain.RunUntil(30)
	want := "4 operations before their units, 1 results to be written"
	if got := r.f.subs[0].Waiting(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The queue of a bank has space for one result of four registers. Of two ports bringing such results all the time,
// neither goes first twice.
func TestResultPortsTakeTurnsAtAFullQueue(t *testing.T) {
	s := Default()
	s.Queue = 4
	d := wire.NewDomain("Core", 1e9)
	env := environment(d, &stats.Registry{}, 8)
	env.Writebacks = 2
	f, err := New(env, s)
	if err != nil {
		t.Fatal(err)
	}
	p := f.DataPorts()
	in := fma(3, 0)
	in.T.Dst, in.T.NDst = [ir.NumDests]ir.RegID{3, 7, 11, 15}, 4
	for port := range 2 {
		source := wiretest.NewSource("Results["+string(rune('0'+port))+"]", d, p.Result[port])
		for i := range 3 {
			source.Send(10, op.Result{Inst: in, Tag: uint32(10*port + i), Exec: all})
		}
	}
	done := wiretest.NewSink("Done", d, p.Done[0], 2)
	d.RunUntil(200)
	var got []uint32
	for _, m := range done.Got {
		got = append(got, m.Msg.Tag)
	}
	if d := cmp.Diff([]uint32{0, 10, 1, 11, 2, 12}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
