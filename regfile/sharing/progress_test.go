package sharing

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/regfile"
)

// Section 4.1: as many CTAs make progress as without sharing. In every pair with a CTA one is the owner, and no
// warp of an owner, nor of an unshared CTA, waits for a lock. The test joins pairs and locks as in the file, and
// sends random requests, ends of warps, and starts and ends of CTAs.
func TestNoWarpOfAnOwnerWaitsForALock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, err := New(&regfile.Env{Domain: wire.NewDomain("Core", 1e9), Stats: &stats.Registry{}, Name: "SM[0]",
			Schedulers: 2, IssueWidth: 1,
			Warps: 16, CTAs: 8, Registers: 40, Writebacks: 1,
			Units: []regfile.Unit{{Name: "SP", Kind: "sp", Sched: regfile.Shared}}}, Default())
		if err != nil {
			t.Fatal(err)
		}
		// 72 warp registers for each of three CTAs without sharing: two or three pairs.
		l := launch36
		l.Others = rapid.IntRange(4, 6).Draw(t, "CTAs")
		a, err := f.spec.Admit(&l)
		if err != nil {
			t.Fatal(err)
		}
		f.Begin(a.Plan)
		d := f.pairs.Domain()
		ctas := wiretest.NewSource("Residency", d, &f.pairs.CTA)
		var warps [2]*wiretest.Source[regfile.WarpNotice]
		for i := range warps {
			warps[i] = wiretest.NewSource("Scheduler", d, &f.locks.Warp[i])
		}
		const gone, running, asking, ended = 0, 1, 2, 3
		state := make([]int, 2*l.Others)
		for i := range 80 {
			c := wire.Cycle(10 + 6*i)
			w := rapid.IntRange(0, len(state)-1).Draw(t, "warp")
			slot, mate := w/2, w^1
			event := func(e regfile.WarpEvent) { warps[w%2].Send(c, regfile.WarpNotice{Warp: uint16(w), Event: e}) }
			closed := f.locks.Closed.Get()
			switch {
			case state[w] == gone:
				ctas.Send(c, regfile.CTANotice{CTA: uint16(slot), Contexts: contexts(slot)})
				state[w], state[mate] = running, running
			case state[w] == running && closed.Has(w) && rapid.IntRange(0, 2).Draw(t, "ask") > 0:
				event(regfile.WarpHeld)
				state[w] = asking
			case state[w] == running || state[w] == asking && !closed.Has(w):
				event(regfile.WarpFinished)
				state[w] = ended
				if state[mate] == ended {
					ctas.Send(c+1, regfile.CTANotice{CTA: uint16(slot), Contexts: contexts(slot), Finished: true})
					state[w], state[mate] = gone, gone
				}
			}
			d.RunUntil(c + 5)
			closed = f.locks.Closed.Get()
			owner, unshared := f.pairs.Owner.Get(), f.pairs.Unshared.Get()
			for w, s := range state {
				if s == asking && closed.Has(w) && (owner.Has(w) || unshared.Has(w)) {
					t.Fatalf("warp %d waits: %s", w, f.locks.Waiting())
				}
			}
		}
	})
}
