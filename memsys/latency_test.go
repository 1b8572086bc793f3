package memsys

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// latency runs accesses one after the other on an idle machine and returns how
// long the last one took, from its arrival at the access unit to its reply.
func latency(t *testing.T, s Spec, accesses ...Access) wire.Cycle {
	m := newMachine(t, s, 1)
	v := m.drivers[0]
	for _, a := range accesses {
		v.add(a)
		m.run(t)
	}
	last := len(v.done) - 1
	return v.done[last] - v.sent[last]
}

func TestAnL1HitTakesTheConfiguredLatency(t *testing.T) {
	a := line(load4, ir.Global, ir.GlobalBase)
	if got := latency(t, GTX980(), a, a); got != 82 {
		t.Errorf("%d cycles, want 82", got)
	}
	if got := latency(t, GTX480(), a, a); got != 30 {
		t.Errorf("GTX 480: %d cycles, want 30", got)
	}
}

func TestSharedMemoryTakesItsLatencyAndAPassForEachConflict(t *testing.T) {
	for _, n := range []int{1, 2, 4, 32} {
		a := Access{Inst: load4, Acc: &stream.Access{Stride: int32(4 * n), Space: ir.Shared}, Exec: all}
		if got, want := latency(t, GTX980(), a), wire.Cycle(24+n-1); got != want {
			t.Errorf("%d-way conflict: %d cycles, want 24 + %d - 1 = %d", n, got, n, want)
		}
	}
}

func TestAUniformConstantLoadTakesTheConfiguredLatency(t *testing.T) {
	a := Access{Inst: load4, Acc: &stream.Access{Space: ir.Const}, Exec: all}
	if got := latency(t, GTX980(), a); got != 24 {
		t.Errorf("%d cycles, want 24", got)
	}
}

// A miss takes: access unit 1, coalescer 1, L1 1, port; the interconnect there,
// the slice's fixed delay, the interconnect back and the reply's flits beyond
// the first; then port 1, L1 1, access unit 1: 6 in all besides.
const missOverhead = 6

func TestAnL2HitTakesBothNetworksAndTheSlice(t *testing.T) {
	s := GTX980()
	one := Access{Inst: load4, Acc: &stream.Access{Base: ir.GlobalBase, Space: ir.Global}, Exec: 1}
	bypass := one
	bypass.Inst = inst(ir.OpLd, 4)
	bypass.Inst.Mods.Cache = ir.CacheCG
	// a reply with one sector of 32 bytes and a header of 8 is one flit of 40
	if got, want := latency(t, s, one, bypass), wire.Cycle(missOverhead+2*s.NoC.Latency+s.L2.Latency); got != want {
		t.Errorf("one sector: %d cycles, want %d", got, want)
	}
	whole := line(bypass.Inst, ir.Global, ir.GlobalBase)
	// 136 bytes are 4 flits
	if got, want := latency(t, s, whole, whole), wire.Cycle(missOverhead+2*s.NoC.Latency+s.L2.Latency+3); got != want {
		t.Errorf("a line: %d cycles, want %d", got, want)
	}
}

// ceil returns the first cycle of a clock of rate to not before cycle c of a clock of rate
// from.
func ceil(c wire.Cycle, from, to int) wire.Cycle {
	return (c*wire.Cycle(to) + wire.Cycle(from) - 1) / wire.Cycle(from)
}

// The channel sees a request in the first possible command cycle, and the slice its data in the first possible
// core cycle. With one clock for both this adds nothing, with twice the command clock up to half a core cycle
// on the way back, with half of it up to one on the way there.
func TestADRAMAccessAddsTheLinksTheBankAndTheBurst(t *testing.T) {
	one := Access{Inst: load4, Acc: &stream.Access{Base: ir.GlobalBase, Space: ir.Global}, Exec: 1}
	for _, command := range []int{coreMHz, 2 * coreMHz, coreMHz / 2, 1377, 877} {
		for start := range wire.Cycle(10) {
			s := GTX980()
			s.DRAM.Clock = command
			d := &s.DRAM
			m := newMachine(t, s, 1)
			m.until(t, start)
			v := m.drivers[0]
			v.add(one)
			m.run(t)
			// access unit, coalescer and L1; the interconnect; the slice
			there := v.sent[0] + missOverhead/2 + wire.Cycle(s.NoC.Latency+s.L2.Latency)
			arrived := ceil(there+wire.Cycle(d.Latency), coreMHz, command)
			// activate, read, burst of 2, link back
			back := ceil(arrived+wire.Cycle(d.RCD+d.CL+2+d.Back), command, coreMHz)
			if want := back + wire.Cycle(s.NoC.Latency) + missOverhead/2; v.done[0] != want {
				t.Errorf("command clock %d MHz, sent in %d: answered in %d, want %d", command, v.sent[0], v.done[0],
					want)
			}
		}
	}
}

func TestAStoreIsAcknowledgedByTheL2(t *testing.T) {
	s := GTX980()
	a := line(store4, ir.Global, ir.GlobalBase)
	// The request of 136 bytes is 4 flits, the acknowledgement one.
	if got, want := latency(t, s, a), wire.Cycle(missOverhead+2*s.NoC.Latency+s.L2.Latency+3); got != want {
		t.Errorf("%d cycles, want %d", got, want)
	}
}

func TestFixedMemoryTakes400Cycles(t *testing.T) {
	one := Access{Inst: load4, Acc: &stream.Access{Base: ir.GlobalBase, Space: ir.Global}, Exec: 1}
	s := Gebhart()
	s.Coalescer.Segment = 32
	if got := latency(t, s, one); got != 400 {
		t.Errorf("%d cycles, want 400", got)
	}
	// a line of 128 bytes at 32 bytes per cycle: 3 cycles more
	if got := latency(t, s, line(load4, ir.Global, ir.GlobalBase)); got != 403 {
		t.Errorf("a line: %d cycles, want 403", got)
	}
	tex := Access{Inst: inst(ir.OpTex, 4), Acc: &stream.Access{Stride: 4, Space: ir.Texture}, Exec: all}
	if got := latency(t, s, tex); got != 400 {
		t.Errorf("texture: %d cycles, want 400", got)
	}
}

func TestLocalMemoryIsWrittenBackAndHits(t *testing.T) {
	st := Access{Inst: store4, Acc: &stream.Access{Base: 8, Space: ir.Local}, Exec: all, Warp: 3}
	ld := st
	ld.Inst = load4
	if got := latency(t, GTX980(), st, ld); got != 82 {
		t.Errorf("%d cycles, want 82: the store has allocated the line", got)
	}
}

// rate is the answers per cycle between the first and the last of n accesses.
func rate(t *testing.T, s Spec, window int, warm []Access, measured []Access) float64 {
	m := newMachine(t, s, 1)
	v := m.drivers[0]
	v.window = window
	for _, a := range warm {
		v.add(a)
	}
	m.run(t)
	n := len(v.done)
	for _, a := range measured {
		v.add(a)
	}
	m.run(t)
	first, last := v.done[n], v.done[n]
	for _, c := range v.done[n:] {
		first, last = min(first, c), max(last, c)
	}
	return float64(len(measured)-1) / float64(last-first)
}

func repeat(n int, a Access) []Access {
	out := make([]Access, n)
	for i := range out {
		out[i] = a
	}
	return out
}

func TestL1HitsFlowAtOnePerCycle(t *testing.T) {
	s := GTX980()
	s.L1.Port = 128
	a := line(load4, ir.Global, ir.GlobalBase)
	if got := rate(t, s, 200, []Access{a}, repeat(1000, a)); got != 1 {
		t.Errorf("%.3f hits per cycle, want 1", got)
	}
}

func TestSharedMemoryFlowsAtOnePassPerCycle(t *testing.T) {
	for _, n := range []int{1, 4} {
		a := Access{Inst: load4, Acc: &stream.Access{Stride: int32(4 * n), Space: ir.Shared}, Exec: all}
		if got, want := rate(t, GTX980(), 200, nil, repeat(500, a)), 1/float64(n); got != want {
			t.Errorf("%d-way conflicts: %.3f per cycle, want %.3f", n, got, want)
		}
	}
}

func TestFixedMemoryFlowsAtItsBandwidth(t *testing.T) {
	var a []Access
	for i := range 1000 {
		a = append(a, line(load4, ir.Global, ir.GlobalBase+uint64(i)*128))
	}
	// 128 bytes at 32 bytes per cycle: one line every 4 cycles
	if got := rate(t, Gebhart(), 200, nil, a); got != 0.25 {
		t.Errorf("%.4f lines per cycle, want 0.25", got)
	}
}

// Little's law: with W accesses under way all the time, each taking L cycles
// and one more until the driver's next request is there, the rate is W / (L+1).
func TestTheRateOfAWindowIsItsSizeOverTheLatency(t *testing.T) {
	a := Access{Inst: inst(ir.OpLd, 4), Acc: &stream.Access{Base: ir.GlobalBase, Space: ir.Global}, Exec: 1}
	a.Inst.Mods.Cache = ir.CacheCG
	const w = 4
	want := w / float64(latency(t, GTX980(), a, a)+1)
	if got := rate(t, GTX980(), w, []Access{a}, repeat(800, a)); got < 0.99*want || got > 1.01*want {
		t.Errorf("%.5f per cycle, want %.5f", got, want)
	}
}
