package rfc

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
	"kumiko/regfile/conventional/extensiontest"
)

const all = version.FullMask

// rig is a cache alone, with sources and sinks at all its ports.
type rig struct {
	extensiontest.Bench
	d       *wire.Domain
	c       *Cache
	reg     stats.Registry
	notice  *wiretest.Source[regfile.WarpNotice]
	version uint32
}

// newRig builds the cache of an SM with one scheduler and eight warps of 32 registers, with the given number of
// active warps.
func newRig(t testing.TB, s Spec, active int) *rig {
	t.Helper()
	r := &rig{d: wire.NewDomain("Core", 1e9)}
	index, err := bank.NewIndex(bank.ByRegister, 4, 8, 32, 1)
	if err != nil {
		t.Fatal(err)
	}
	p := &conventional.Part{
		Env: &regfile.Env{Domain: r.d, Stats: &r.reg, Name: "SM[0]", Schedulers: 1, Warps: 8, Active: active,
			Registers: 32,
			Checker:   version.NewChecker(8, 32, 0)},
		Name: "SM[0].RegFile.SubCore[0]", SubCores: 1, Schedulers: 1, Index: index, Collectors: 4, RequestRoom: 8,
		WriteRoom: 8, Writes: 4,
	}
	if r.c, err = New(p, s); err != nil {
		t.Fatal(err)
	}
	r.notice = wiretest.NewSource("Scheduler", r.d, &r.c.Notices[0])
	r.Bench = extensiontest.Join(r.d, r.c.extension(), 16)
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

// notify makes a notice visible to the cache at cycle at.
func (r *rig) notify(at wire.Cycle, warp uint16, events ...regfile.WarpEvent) {
	for _, e := range events {
		r.notice.Send(at-1, regfile.WarpNotice{Warp: warp, Event: e})
	}
}

// start makes warps 0 to n-1 active at cycle 2.
func (r *rig) start(n int) {
	for w := range n {
		r.notify(2, uint16(w), regfile.WarpStarted, regfile.WarpActivated)
	}
}

// write makes an arithmetic result for some lanes of a register visible to the
// cache at cycle at, and returns its version.
func (r *rig) write(at wire.Cycle, warp uint16, reg ir.RegID, lanes uint32) uint32 {
	return r.writeAs(at, warp, reg, lanes, 0)
}

func (r *rig) writeAs(at wire.Cycle, warp uint16, reg ir.RegID, lanes uint32, w bank.Hint) uint32 {
	r.version++
	a := bank.Access{Content: version.Content{Seq: r.version, Lanes: lanes}, Tag: r.version, Kind: bank.Write,
		Cause: bank.Result}
	a.Bank, a.Entry = r.c.index.Find(warp, reg)
	a.Warp, a.Reg, a.Hint = warp, reg, w
	r.Result.Send(at-1, a)
	return r.version
}

// request returns a read of registers by some lanes; its tag is the cycle of its arrival at the cache.
func (r *rig) request(at wire.Cycle, warp uint16, lanes uint32, regs ...ir.RegID) bank.Request {
	q := bank.Request{Tag: uint32(at), Lanes: lanes, Warp: warp, N: uint8(len(regs)), To: 3}
	for i, x := range regs {
		q.Reg[i], q.Slot[i] = x, uint8(i)
		q.Bank[i], q.Entry[i] = r.c.index.Find(warp, x)
	}
	return q
}

func (r *rig) read(at wire.Cycle, warp uint16, lanes uint32, regs ...ir.RegID) {
	r.Request.Send(at-1, r.request(at, warp, lanes, regs...))
}

// readLast is a read of one register that no lane needs afterwards.
func (r *rig) readLast(at wire.Cycle, warp uint16, lanes uint32, reg ir.RegID) {
	q := r.request(at, warp, lanes, reg)
	q.Hint[0] = readLast
	r.Request.Send(at-1, q)
}

func (r *rig) run() { r.d.RunUntil(200) }

func (r *rig) stat(name string) uint64 { return r.reg.Snapshot()["regfile.rfc."+name] }

// event is the arrival of a register, with its cycle.
type event struct {
	At  wire.Cycle
	Reg ir.RegID
}

func (r *rig) written() []event { return extensiontest.Written[event](&r.Bench) }
func (r *rig) missed() []event  { return extensiontest.Missed[event](&r.Bench) }

// same compares.
func same(t testing.TB, what string, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func cycles(c ...wire.Cycle) []wire.Cycle { return c }
