package emu

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// broken returns a launch with a panicking instruction in line 2.
func broken(t *testing.T) *Launch {
	k := newKit(0)
	k.nop()
	k.add(ir.Inst{Op: ir.OpMembar})
	k.exit(ir.Operand{})
	var m mem.Memory
	l := prepare(t, k.kernel(), &m, launch(1, 32))
	l.Prog.code[1].exec = func(w *warp, _ *inst, _ uint32) { w.rows = w.rows[:len(w.rows)+1<<30] }
	return l
}

func wantInternal(t *testing.T, err error) {
	t.Helper()
	var internal *ir.InternalError
	if !errors.As(err, &internal) {
		t.Fatalf("found %v, expected an InternalError", err)
	}
	if internal.Kernel != "kit" || internal.Line != 2 || !strings.Contains(string(internal.Stack), "internal_test.go") {
		t.Errorf("found kernel %q, line %d and the stack\n%s", internal.Kernel, internal.Line, internal.Stack)
	}
	wantError(t, err, "internal error: kit.ptx:2:0: kernel kit: ", "slice bounds")
	if internal.Unwrap() == nil {
		t.Error("the runtime error is not wrapped")
	}
}

func TestAPanicOfALaunchIsAnInternalErrorWithThePlace(t *testing.T) {
	_, err := Run(broken(t))
	wantInternal(t, err)
}

func TestAPanicInASourcesGoroutineIsItsError(t *testing.T) {
	s := NewSource(broken(t), 1)
	defer s.Close()
	if s.Next() != nil {
		t.Error("a CTA was handed over")
	}
	wantInternal(t, s.Err())
}

func TestAnInternalErrorKeepsTheFirstPlace(t *testing.T) {
	first := ir.Internal(&ir.Kernel{Name: "k", File: "f"}, &ir.Inst{Line: 3, Col: 4}, "reason")
	if again := ir.Internal(&ir.Kernel{Name: "other"}, nil, first); again != first {
		t.Errorf("found %v", again)
	}
	if got := fmt.Sprint(first); got != "internal error: f:3:4: kernel k: reason" {
		t.Errorf("found %q", got)
	}
}
