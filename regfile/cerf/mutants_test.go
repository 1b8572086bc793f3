package cerf

import (
	"math/bits"
	"strings"
	"testing"

	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/memsys/req"
	"kumiko/regfile/contracttest"
)

// saboteur does something wrong to the tags in every cycle for as long as the run takes.
type saboteur struct {
	wire.Comp
	t  *Tags
	do func(t *Tags)
}

func sabotage(do func(t *Tags)) func(d *wire.Domain, t *Tags) {
	return func(d *wire.Domain, t *Tags) {
		s := &saboteur{t: t, do: do}
		s.Init("Saboteur", d, s)
		s.WakeAt(1)
	}
}

func (s *saboteur) Tick(now wire.Cycle) bool {
	s.do(s.t)
	return now < 20_000
}

// granted calls f with every access granted to a tag bank.
func granted(t *Tags, f func(a *bank.Access)) {
	for g := range t.Granted {
		for i := 0; wire.Behind(&t.Granted[g], i) != nil; i++ {
			f(wire.Behind(&t.Granted[g], i))
		}
	}
}

// tight makes a memory with few entries, so that registers are replaced all the time.
func tight(s *Spec) { s.Bytes, s.Ways = 64*128, 2 }

// mutants are faults, each with the memories in which it must be found.
var mutants = map[string]struct {
	f  func(s *Spec)
	do func(t *Tags)
	m  func(m *memory)
}{
	"none":                    {tight, func(*Tags) {}, nil},
	"none, lru-prioritized":   {func(s *Spec) { s.Policy = Prioritized }, func(*Tags) {}, nil},
	"a victim is not written": {tight, func(t *Tags) { clear(t.back.stored) }, nil},
	"a refetch goes before its spill": {func(s *Spec) { s.Bytes, s.Ways, s.base.ReadLatency = 8*128, 1, 20 },
		func(t *Tags) {
			for i := range t.leave.slots {
				t.leave.slots[i].used = false
			}
		}, nil},
	"a line's address is taken for a register's": {tight, func(*Tags) {}, func(m *memory) { m.Base = 1 << 43 }},
	"the way is lost between tags and data":      {tight, func(t *Tags) { t.places.ways = 0 }, nil},
	"a register dies one read early": {func(s *Spec) { s.Policy = Prioritized }, func(t *Tags) {
		granted(t, func(a *bank.Access) {
			if a.Kind == bank.Read && a.Cause == bank.Operand && a.Tag%7 == 0 {
				a.Hint |= lastRead
			}
		})
	}, nil},
	"what has gone to the L2 is forgotten": {tight, func(t *Tags) { clear(t.back.spilled) }, nil},
	"a merge drops lanes": {tight, func(t *Tags) {
		for i := range t.there {
			if t.there[i] != 0 && t.core.Awaited(i) {
				t.there[i] |= 0xff
			}
		}
	}, nil},
	"a partial register is taken for a whole one": {func(s *Spec) { tight(s); s.Lanes = LanesMask }, func(t *Tags) {
		for i := range t.there {
			if t.there[i] != 0 {
				t.there[i] = version.FullMask
			}
		}
	}, nil},
}

// Each fault is found by the version checker, and without one nothing is.
func TestFaultsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("many runs")
	}
	for name, x := range mutants {
		t.Run(name, func(t *testing.T) {
			s, m := Default(), quick
			x.f(&s)
			if x.m != nil {
				x.m(&m)
			}
			found := 0
			var spilled, merged, died uint64
			for _, c := range contracttest.Configs() {
				o, err := contracttest.Run(contracttest.With(kind(m, sabotage(x.do)), s), c, 0)
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range o.Problems {
					if strings.Contains(p, "want version") {
						found++
					} else if strings.HasPrefix(name, "none") {
						t.Error(p)
					}
				}
				spilled += o.Stats["regfile.cerf.spills"]
				merged += o.Stats["regfile.cerf.merges"]
				died += o.Stats["regfile.cerf.died"]
			}
			if sound := strings.HasPrefix(name, "none"); sound != (found == 0) {
				t.Errorf("%d wrong operands", found)
			}
			if s.Policy == Fair && spilled == 0 || s.Policy == Fair && s.Lanes == LanesFetch && merged == 0 ||
				s.Policy == Prioritized && died == 0 {
				t.Errorf("%d registers spilled, %d merged, %d died: the fault had no occasion", spilled, merged, died)
			}
		})
	}
}

// The lanes of a register take the place of the sectors of a line.
func TestLanesAndSectorsAreTheSameBytes(t *testing.T) {
	for m := range uint8(1 << req.Sectors) {
		if l := req.LanesOf(m); req.SectorsOf(l) != m || wholeSectors(l) != m ||
			int(req.BytesOf(l)) != req.SectorBytes*bits.OnesCount8(m) {
			t.Errorf("sectors %#x: lanes %#x, sectors %#x and %#x whole", m, l, req.SectorsOf(l), wholeSectors(l))
		}
	}
	if req.SectorsOf(1<<9) != 2 || wholeSectors(0x1ff) != 1 || wholeSectors(0xfe) != 0 {
		t.Error("some lanes of a sector")
	}
}
