package bypass

import (
	"fmt"

	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// Result is the result of an operation: one value for each of its destination
// registers, all under one mask of lanes.
type Result struct {
	Content version.Content // of every destination
	Inst    *ir.Inst
	Tag     uint32
	Warp    uint16
}

// Spec configures a result bus.
type Spec struct {
	Width int // results per cycle
	Room  int // capacity of In in results, including those on the link
}

// Check refuses impossible settings of a bus.
func (s *Spec) Check() error {
	switch {
	case s.Width < 1 || s.Width > 64:
		return spec.Errorf("bypass_width", s.Width, "1 to 64 results per cycle")
	case s.Room < 1:
		return spec.Errorf("room", s.Room, "at least 1 result")
	}
	return nil
}

// Bus is a result bus.
type Bus struct {
	wire.Comp
	In  wire.InPort[Result]
	Out wire.OutPort[Result]

	width int
	fault func(version.Content) version.Content

	results   uint64
	conflicts uint64
}

// NewBus builds a result bus.
func NewBus(name string, d *wire.Domain, s Spec, reg *stats.Registry) (*Bus, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	b := &Bus{width: s.Width}
	b.Init(name, d, b)
	b.In.Init(&b.Comp, "In", s.Room)
	b.Out.Init(&b.Comp, "Out")
	reg.Count("regfile.bypass.results", stats.Instructions, "results carried by result buses to the operand collectors",
		name, &b.results)
	reg.Count("regfile.bypass.conflicts", stats.Cycles,
		"cycles in which a result waits because other results fill the width of the result bus", name, &b.conflicts)
	return b, nil
}

// Tick passes up to Width results on.
func (b *Bus) Tick(wire.Cycle) bool {
	for n := 0; ; n++ {
		r := b.In.Head()
		if r == nil {
			return false
		}
		if n == b.width {
			b.conflicts++
			return true
		}
		if !b.Out.CanPut() {
			return false // woken when there is room
		}
		m := b.Out.Slot()
		*m = *r
		if b.fault != nil {
			m.Content = b.fault(m.Content)
		}
		b.Out.PutSlot()
		b.results++
		b.In.Pop()
	}
}

// Alter applies f to the version content of every later result. Tests inject faults with it.
func (b *Bus) Alter(f func(version.Content) version.Content) { b.fault = f }

// Waiting reports how many results wait.
func (b *Bus) Waiting() string {
	if b.In.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("%d results wait for the result bus", b.In.Len())
}
