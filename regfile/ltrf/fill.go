package ltrf

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/regfile"
)

// Fill is the arbiter among warps with registers to fetch. Each warp has a request line, and lines take turns.
//
// Ports:
//
//	In    Fetch: from the control blocks
//	Read  bank.Request: reads of the main file, to its arbiter
type Fill struct {
	wire.Comp
	In   wire.InPort[Fetch]
	Read wire.OutPort[bank.Request]

	index  *bank.Index
	lines  []ring[Fetch]   `part:"Line"` // by warp context
	busy   regfile.WarpSet `bits:"lines" room:"1"`
	queued int
	last   int // last granted warp
	grants int // per cycle

	granted, waits uint64
}

// fillSpec has the shape of the cache to be filled, the grants per cycle, and the places of registers in the main
// file.
type fillSpec struct {
	shape
	grants int
	index  *bank.Index
}

func newFill(name string, d *wire.Domain, s fillSpec, reg *stats.Registry) *Fill {
	x := &Fill{index: s.index, lines: make([]ring[Fetch], s.warps), grants: s.grants, last: s.warps - 1}
	x.Init(name, d, x)
	x.In.Init(&x.Comp, "In", s.banks*s.offsets)
	x.Read.Init(&x.Comp, "Read")
	for i := range x.lines {
		x.lines[i] = newRing[Fetch](s.banks)
	}
	reg.Count("regfile.ltrf.fill_grants", stats.Registers, "registers requested from the main file to fill the "+
		"cache", name,
		&x.granted)
	reg.Count("regfile.ltrf.fill_waits", stats.Cycles, "register-cycles spent waiting for the fill arbiter's grant",
		name, &x.waits)
	return x
}

// Tick grants the next lines in turn.
func (x *Fill) Tick(wire.Cycle) bool {
	for f := x.In.Take(); f != nil; f = x.In.Take() {
		x.lines[f.Warp].push(*f)
		x.busy.Add(int(f.Warp))
		x.queued++
	}
	for n := x.grants; n > 0 && x.queued > 0 && x.Read.CanPut(); n-- {
		x.grant(next(&x.busy, x.last, len(x.lines)))
	}
	x.waits += uint64(x.queued)
	return x.queued > 0
}

func (x *Fill) grant(warp int) {
	f := x.lines[warp].pop()
	x.last = warp
	if x.queued--; x.lines[warp].n == 0 {
		x.busy.Remove(warp)
	}
	r := x.Read.Slot()
	*r = bank.Request{Tag: label(f.Warp, f.Reg), Lanes: version.FullMask, Warp: f.Warp, N: 1, To: f.Bank,
		Cause: f.Cause}
	r.Bank[0], r.Entry[0] = x.index.Find(f.Warp, f.Reg)
	r.Reg[0] = f.Reg
	x.Read.PutSlot()
	x.granted++
}

// Waiting reports the number of waiting registers.
func (x *Fill) Waiting() string {
	if x.queued == 0 {
		return ""
	}
	return fmt.Sprintf("%d registers wait to be asked of the main file", x.queued)
}
