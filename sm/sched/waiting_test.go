package sched

import (
	"testing"

	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/reason"
	"kumiko/sm/smtest"
)

// Warp 3 of CTA slot 5 adds to R1.
func TestASchedulerSaysWhatItsFirstWarpWaitsFor(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{2}, 1), smtest.Inst(ir.ClassExit, nil))
	k.Insts[0].Op, k.Insts[0].Line = ir.OpAdd, 7
	const who = "warp 3 (CTA slot 5): "
	at := who + ir.OpAdd.String() + " at line 7 "
	for want, set := range map[string]func(s *Scheduler, w *warpState){
		who + "at a barrier": func(s *Scheduler, _ *warpState) {
			s.Blocked[reason.AtBarrier] = 1 << 3
		},
		who + "instruction buffer empty, waits for fetch": func(_ *Scheduler, w *warpState) { w.n = 0 },
		who + "has ended, waits for 1 results and 2 stores": func(s *Scheduler, w *warpState) {
			s.Exited, w.n, w.board.Flight, w.board.Stores = 1<<3, 0, 1, 2
		},
		at + "is ready; the register file takes no operation": func(s *Scheduler, _ *warpState) { s.Clear = 1 << 3 },
		at + "waits for 1 loads and 2 stores": func(s *Scheduler, w *warpState) {
			s.Blocked[reason.FencePending], w.board.Loads, w.board.Stores = 1<<3, 1, 2
		},
		at + "waits for registers R1": func(s *Scheduler, w *warpState) {
			w.board.Pending.Add(1)
			s.vacated = []uint16{4, 4}
		},
		at + "waits for registers R4 and above, which it gives up": func(s *Scheduler, _ *warpState) {
			s.vacated = []uint16{4, 4}
		},
		at + "waits for registers ": func(*Scheduler, *warpState) {},
		who + "prefetch waits for operands to be read": func(s *Scheduler, w *warpState) {
			w.buffer[0].PC, s.inserts = 2, "prefetch"
		},
	} {
		b := newBench(testSetup(), k)
		b.load(testSetup(), &regfile.Insertions{Group: []int32{0, 0}, Ops: make([]regfile.Inserted, 1)}, &Planes{})
		b.s.Live = 1 << 3
		w := b.s.at(3)
		w.cta, w.n, w.buffer[0] = 5, 1, message.Fetched{Inst: &k.Insts[0]}
		set(b.s, w)
		if got := b.s.Waiting(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := newBench(testSetup(), k).s.Waiting(); got != "" {
		t.Errorf("%q of a scheduler without warps, want nothing", got)
	}
}
