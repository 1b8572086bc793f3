package version

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

func TestAClassIsTakenByTheVersionAndTheRegister(t *testing.T) {
	v := NewValues(2, 8, false)
	first := op.Op{Inst: inst([]ir.RegID{3, 5}), Tag: 7, Exec: FullMask}
	second := op.Op{Inst: inst([]ir.RegID{3}), Tag: 9, Exec: FullMask}
	v.Issue(&first, []stream.Value{stream.Equal, stream.Half})
	v.Issue(&second, []stream.Value{stream.Byte})
	got := []stream.Value{v.Take(9, 3), v.Take(7, 5), v.Take(7, 3)}
	if d := cmp.Diff([]stream.Value{stream.Byte, stream.Half, stream.Equal}, got); d != "" {
		t.Errorf("classes (-want +got):\n%s", d)
	}
	if v.flights.find(7) != nil || v.flights.find(9) != nil {
		t.Error("an operation whose results are taken is still there")
	}
}

func TestAResultIsTakenOnce(t *testing.T) {
	v := NewValues(1, 8, false)
	v.Issue(&op.Op{Inst: inst([]ir.RegID{3}), Tag: 7, Exec: 1}, []stream.Value{stream.Equal})
	v.Take(7, 3)
	defer func() {
		if p, _ := recover().(string); !strings.Contains(p, "R3 of operation 7") {
			t.Errorf("panicked with %q, want the register and the operation", p)
		}
	}()
	v.Take(7, 3)
	t.Error("a result was taken twice")
}

func TestTheWriteBeforeAReadIsTheNewestThatWasIssuedBeforeIt(t *testing.T) {
	v := NewValues(2, 8, true)
	for tag := uint32(2); tag <= 10; tag += 2 {
		o := op.Op{Inst: inst([]ir.RegID{3}), Tag: tag, Exec: tag, Warp: 1}
		v.Issue(&o, []stream.Value{stream.Value(tag / 2 % 4)})
	}
	for tag, want := range map[uint32]Written{11: {10, 10, 1}, 10: {8, 8, 0}, 9: {8, 8, 0}, 5: {4, 4, 2}} {
		if got, ok := v.Before(1, 3, tag); !ok || got != want {
			t.Errorf("before operation %d: %+v, %t; want %+v", tag, got, ok, want)
		}
	}
	if w, ok := v.Before(1, 3, 4); ok {
		t.Errorf("before operation 4: %+v, of which nothing is remembered", w)
	}
	if w, ok := v.Before(0, 3, 20); ok {
		t.Errorf("a warp without writes has %+v", w)
	}
	v.Start(1)
	if w, ok := v.Before(1, 3, 20); ok {
		t.Errorf("a new warp has the write %+v of the warp before", w)
	}
}

func TestWithoutCheckingNothingIsRemembered(t *testing.T) {
	v := NewValues(1, 8, false)
	v.Issue(&op.Op{Inst: inst([]ir.RegID{3}), Tag: 7, Exec: 1}, []stream.Value{stream.Equal})
	v.Start(0)
	if w, ok := v.Before(0, 3, 20); ok {
		t.Errorf("found %+v", w)
	}
}
