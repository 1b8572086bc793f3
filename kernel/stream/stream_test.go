package stream_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// pcs returns the PCs of a cursor.
func pcs(c *stream.Cursor) (out []uint32) {
	for d := (stream.Dyn{}); c.Next(&d); {
		out = append(out, d.PC)
	}
	return out
}

func TestACursorGoesOnBehindWhatAJumpLeavesOut(t *testing.T) {
	k := &ir.Kernel{Insts: make([]ir.Inst, 4)}
	w := stream.Warp{Runs: []stream.Run{{PC: 0, N: 3, Mask: 1}, {PC: 1, N: 2, Mask: 1}, {PC: 1, N: 2, Mask: 1},
		{PC: 1, N: 3, Mask: 1}}}
	w.Jumps = []stream.Jump{{From: 1, To: stream.Place{Run: 3}}}
	var c stream.Cursor
	c.Start(k, &w)
	if d := cmp.Diff([]uint32{0, 1, 2, 1, 2, 3}, pcs(&c)); d != "" {
		t.Errorf("with one of three iterations left out (-want +got):\n%s", d)
	}
}

func TestACursorCanStartInTheMiddle(t *testing.T) {
	k := &ir.Kernel{Insts: make([]ir.Inst, 2)}
	k.Insts[0].T.Guarded = true
	w := stream.Warp{Runs: []stream.Run{{PC: 0, N: 2, Mask: 3}, {PC: 0, N: 2, Mask: 3}}, Masks: []uint32{1, 2}}
	var c stream.Cursor
	c.StartAt(k, &w, stream.Place{Run: 1, Mask: 1})
	var d stream.Dyn
	if !c.Next(&d) || d.Exec != 2 {
		t.Errorf("executed lanes %b, want 10", d.Exec)
	}
	if c.Run() != 1 || c.Warp() != &w {
		t.Errorf("the cursor is in run %d, want 1", c.Run())
	}
}
