package turing

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// The model of this file is Allocate and the register file cache by their rules alone: an
// instruction is its registers by slot and its flags, each is allocated as soon as its registers
// fit, one per cycle.

type modelOp struct {
	warp  uint16
	src   []ir.RegID
	flags uint8
}

type model struct {
	banks, ports, window int
	reuse                bool
	taken                map[[2]int]int // by bank and cycle
	kept                 map[[2]int]keptReg
	hits                 int
}

type keptReg struct {
	warp uint16
	reg  ir.RegID
}

// run returns the cycles in which instructions are at their unit. The first instruction is in Allocate in cycle 11.
func (m *model) run(list []modelOp) (at []wire.Cycle) {
	m.taken, m.kept = map[[2]int]int{}, map[[2]int]keptReg{}
	unit := 0 // when it takes one
	for now := 11; len(list) > 0; now++ {
		o := list[0]
		need, hits := make([]map[ir.RegID]bool, m.banks), 0
		for i, r := range o.src {
			b := int(r) % m.banks
			if k, ok := m.kept[[2]int{i, b}]; ok && m.reuse && k == (keptReg{o.warp, r}) {
				hits++
				continue
			}
			if need[b] == nil {
				need[b] = map[ir.RegID]bool{}
			}
			need[b][r] = true
		}
		length := m.window
		for b := range need {
			for length*m.ports < len(need[b]) {
				length += m.window
			}
		}
		fits := now+length+1 >= unit
		for b := range need {
			free := 0
			for k := 1; k <= length; k++ {
				free += m.ports - m.taken[[2]int{b, now + k}]
			}
			fits = fits && free >= len(need[b])
		}
		if !fits {
			continue
		}
		for b := range need {
			for left, k := len(need[b]), 1; left > 0; k++ {
				n := min(left, m.ports-m.taken[[2]int{b, now + k}])
				m.taken[[2]int{b, now + k}] += n
				left -= n
			}
		}
		m.hits += hits
		for i, r := range o.src {
			delete(m.kept, [2]int{i, int(r) % m.banks})
			if o.flags>>i&1 != 0 {
				m.kept[[2]int{i, int(r) % m.banks}] = keptReg{o.warp, r}
			}
		}
		unit = now + length + 2
		at = append(at, wire.Cycle(now+length+1))
		list = list[1:]
	}
	return at
}

func TestInstructionsReachTheirUnitAsTheRulesSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := model{banks: rapid.IntRange(1, 3).Draw(t, "banks"), ports: rapid.IntRange(1, 2).Draw(t, "ports"),
			window: rapid.IntRange(1, 4).Draw(t, "window"), reuse: rapid.Bool().Draw(t, "reuse")}
		var list []modelOp
		for range rapid.IntRange(1, 60).Draw(t, "n") {
			o := modelOp{warp: uint16(rapid.IntRange(0, 1).Draw(t, "warp")),
				flags: uint8(rapid.IntRange(0, 7).Draw(t, "flags"))}
			for range rapid.IntRange(0, 3).Draw(t, "sources") {
				o.src = append(o.src, ir.RegID(rapid.IntRange(1, 6).Draw(t, "register")))
			}
			list = append(list, o)
		}
		r := newRig(t, func(s *Spec) {
			s.Banks, s.Ports, s.Window, s.Reuse, s.Latches = m.banks, m.ports, m.window, m.reuse, 16
		})
		for _, o := range list {
			r.send(10, o.warp, 0, fma(-1, o.flags, o.src...))
		}
		r.Domain.RunUntil(2000)
		at, got := m.run(list), r.Units[0].Cycles()
		if len(got) != len(list) {
			t.Fatalf("%d of %d instructions came out", len(got), len(list))
		}
		for i := range at {
			if got[i] != at[i] {
				t.Fatalf("instruction %d arrives at %d, want %d: %+v", i, got[i], at[i], list[:i+1])
			}
		}
		if hits := int(r.Stat("allocate.reuse_hits")); m.reuse && hits != m.hits {
			t.Fatalf("%d hits, want %d", hits, m.hits)
		}
		if v := r.Checker.Violations(); len(v) > 0 {
			t.Fatalf("%d violations: %v", len(v), v[0])
		}
	})
}

// A flag outliving a write leaves an old value behind: 5 is read, kept, written and read again.
func TestAFlagThatOutlivesAWriteIsReported(t *testing.T) {
	for flags, wrong := range map[uint8]int{0: 0, 1: 32} {
		r := newRig(t, nil)
		r.send(10, 0, 0, fma(-1, flags, 5))
		in := fma(5, 0)
		r.write(0, 30, r.send(20, 0, 0, in), 0, in)
		r.send(40, 0, 0, fma(-1, 0, 5))
		r.run()
		if n := len(r.Checker.Violations()); n != wrong {
			t.Errorf("flags %b: %d violations, want %d", flags, n, wrong)
		}
	}
}
