package rfc

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional/extensiontest"
)

const all = version.FullMask

// rig is a cache alone.
type rig struct {
	*extensiontest.Bench
	c       *Cache
	version uint32
}

// newRig builds the cache of an SM with one scheduler and eight warps of 32 registers, with the given number of
// active warps.
func newRig(t testing.TB, s Spec, active int) *rig {
	t.Helper()
	r := &rig{Bench: extensiontest.New(t, extensiontest.Shape{Design: "rfc", Banks: 4, Warps: 8, Registers: 32,
		Active: active})}
	r.Part.Collectors, r.Part.Writes = 4, 4
	var err error
	if r.c, err = New(r.Part, s); err != nil {
		t.Fatal(err)
	}
	r.Join(r.c.extension(), &r.c.Notices[0], 16)
	return r
}

// with is the default cache, changed.
func with(f func(s *Spec)) Spec {
	s := Default()
	if f != nil {
		f(&s)
	}
	return s
}

// start makes warps 0 to n-1 active at cycle 2.
func (r *rig) start(n int) {
	for w := range n {
		r.Notify(2, uint16(w), regfile.WarpStarted, regfile.WarpActivated)
	}
}

// write makes an arithmetic result for some lanes of a register visible to the
// cache at cycle at, and returns its version.
func (r *rig) write(at wire.Cycle, warp uint16, reg ir.RegID, lanes uint32) uint32 {
	return r.writeAs(at, warp, reg, lanes, 0)
}

func (r *rig) writeAs(at wire.Cycle, warp uint16, reg ir.RegID, lanes uint32, w bank.Hint) uint32 {
	r.version++
	r.Arrive(at, warp, reg, lanes, r.version, w)
	return r.version
}

func (r *rig) read(at wire.Cycle, warp uint16, lanes uint32, regs ...ir.RegID) {
	r.Request.Send(at-1, r.request(at, warp, lanes, regs...))
}

// request returns a read of registers by some lanes; its tag is the cycle of its arrival at the cache.
func (r *rig) request(at wire.Cycle, warp uint16, lanes uint32, regs ...ir.RegID) bank.Request {
	return r.Reading(uint32(at), warp, lanes, regs...)
}

// readLast is a read of one register that no lane needs afterwards.
func (r *rig) readLast(at wire.Cycle, warp uint16, lanes uint32, reg ir.RegID) {
	q := r.request(at, warp, lanes, reg)
	q.Hint[0] = readLast
	r.Request.Send(at-1, q)
}

func cycles(c ...wire.Cycle) []wire.Cycle { return c }

// event is the arrival of a register, with its cycle.
type event struct {
	At  wire.Cycle
	Reg ir.RegID
}

func (r *rig) written() []event { return extensiontest.Written[event](r.Bench) }
func (r *rig) missed() []event  { return extensiontest.Missed[event](r.Bench) }
