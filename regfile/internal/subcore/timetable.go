package subcore

import (
	"math/bits"

	"kumiko/components/bank"
	"kumiko/components/op"
	"kumiko/components/spec"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// Timetable is a reservation table for results. Control words count on fixed latencies, so a result of fixed
// latency must not wait anywhere: its operation leaves for the unit only if the unit's output, a result port and
// the write ports of the result's banks are free in the cycles needed. A result of variable latency uses the
// remaining cycles.
type Timetable struct {
	index   *bank.Index
	ports   int  // result ports for units of fixed latency
	queue   int  // cycles from the arrival of a result within which it must be written
	forward int  // cycles from the arrival of a result to its value
	atOnce  bool // results of variable latency do not queue

	// Rings by cycle.
	ends   []uint64 `bits:"64"` // units of fixed latency with an arriving result, a bit for each
	writes []uint64 `bits:"64"` // banks with a taken write port, a bit for each
	at     wire.Cycle

	// The reservations since Begin, for Undo.
	arrivalsOf [mostTogether]cell `soft:"of the operation that is entered, within a cycle"`
	nArrivals  int
	writesOf   [mostTogether * ir.NumDests]cell `soft:"of the operation that is entered, within a cycle"`
	nWrites    int
}

// mostTogether is the most operations entered between Begin and Undo: the number leaving for their units together.
const mostTogether = 2

// cell is a unit or a bank in a cycle.
type cell struct {
	at  wire.Cycle
	bit uint64
}

// NewTimetable returns the timetable of a sub-core. ahead is the most cycles between an operation's entry and its
// departure for its unit.
func NewTimetable(env *regfile.Env, s *ResultSpec, index *bank.Index, ahead int) *Timetable {
	longest := 0
	for u := range env.Units {
		if t := env.Units[u].Times; t != nil && env.Units[u].Fixed {
			for c := range t.Class {
				longest = max(longest, int(t.Class[c].Latency))
			}
		}
	}
	n := 1 << bits.Len(uint(ahead+longest+s.Queue+1))
	return &Timetable{index: index, ports: env.Writebacks - 1, queue: s.Queue, forward: s.Forward,
		atOnce: s.Late != nil, ends: make([]uint64, n), writes: make([]uint64, n)}
}

// CheckTimed refuses, under control words, a result queue too short for an instruction with all its destination
// registers in one bank.
func CheckTimed(env *regfile.Env, queue, forward int) error {
	if !env.Controlled {
		return nil
	}
	return spec.InRange("result_queue", queue, forward+ir.NumDests, spec.MostQueue)
}

// pass discards the reservations of the cycles before now.
func (t *Timetable) pass(now wire.Cycle) {
	mask := wire.Cycle(len(t.ends) - 1)
	for n := min(now-t.at, mask+1); n > 0; n-- {
		i := (now - n) & mask
		t.ends[i], t.writes[i] = 0, 0
	}
	t.at = now
}

// Begin starts a group of reservations, to be taken back together by Undo.
func (t *Timetable) Begin() { t.nArrivals, t.nWrites = 0, 0 }

// Take makes the reservations for an operation whose result reaches the register file in cycle arrive. It returns
// false, without any effect, if there is no space.
func (t *Timetable) Take(o *op.Op, arrive wire.Cycle) bool {
	if !o.Inst.T.Result() {
		return true
	}
	ends := &t.ends[arrive&wire.Cycle(len(t.ends)-1)]
	bit := uint64(1) << o.Unit
	if *ends&bit != 0 || bits.OnesCount64(*ends) >= t.ports || !t.write(o.Inst, o.Warp, o.Exec, arrive, false) {
		return false
	}
	*ends |= bit
	t.arrivalsOf[t.nArrivals] = cell{arrive, bit}
	t.nArrivals++
	return true
}

// Undo removes the reservations made since Begin.
func (t *Timetable) Undo() {
	for _, c := range t.arrivalsOf[:t.nArrivals] {
		t.ends[c.at&wire.Cycle(len(t.ends)-1)] &^= c.bit
	}
	t.nArrivals = 0
	t.undoWrites(0)
}

// undoWrites frees the write ports reserved since Begin, except the first ones.
func (t *Timetable) undoWrites(first int) {
	for _, c := range t.writesOf[first:t.nWrites] {
		t.writes[c.at&wire.Cycle(len(t.writes)-1)] &^= c.bit
	}
	t.nWrites = first
}

// late makes the reservations for an arrived result of variable latency, if there is space. Where such results do
// not queue (atOnce), the first register in each bank must be written in the cycle of its value.
func (t *Timetable) late(m *op.Result, now wire.Cycle) bool {
	t.Begin()
	return t.write(m.Inst, m.Warp, m.Exec, now, t.atOnce)
}

// write reserves the earliest free cycle of the bank's write port for each destination register. If one would be
// too late, it reserves none and returns false. With atOnce it also does so if the first register of a bank cannot
// be written in the first possible cycle.
func (t *Timetable) write(in *ir.Inst, warp uint16, exec uint32, arrive wire.Cycle, atOnce bool) bool {
	if exec == 0 {
		return true // no lane is written
	}
	mask, first := wire.Cycle(len(t.writes)-1), t.nWrites
	due := arrive + wire.Cycle(t.forward)
	var mine uint64 // banks of the registers before
	for _, reg := range in.T.Dst[:in.T.NDst] {
		b, _ := t.index.Find(warp, reg)
		bit, at := uint64(1)<<b, due
		for t.writes[at&mask]&bit != 0 {
			at++
		}
		if at-arrive >= wire.Cycle(t.queue) || atOnce && at != due && mine&bit == 0 {
			t.undoWrites(first)
			return false
		}
		mine |= bit
		t.writes[at&mask] |= bit
		t.writesOf[t.nWrites] = cell{at, bit}
		t.nWrites++
	}
	return true
}
