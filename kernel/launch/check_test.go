package launch

import (
	"encoding/binary"
	"math"
	"testing"

	"kumiko/kernel/ir"
)

// outcome compares got with want, elements of type t.
func outcome(t ir.Type, rtol, atol float64, got, want []uint64) Expect {
	b := &buffer{name: "b", typ: t, count: len(got)}
	data := make([]byte, b.size())
	for i, x := range got {
		b.put(data, i, x)
	}
	x := &expectation{buffer: b, rtol: rtol, atol: atol, want: func(i int) uint64 { return want[i] & mask(t) }}
	return x.compare(data)
}

func floats(f ...float64) []uint64 {
	out := make([]uint64, len(f))
	for i, x := range f {
		out[i] = math.Float64bits(x)
	}
	return out
}

func TestTolerancesAddUp(t *testing.T) {
	// |a-b| <= 0.5 + 0.25*|b|: at b = 2 the bound is 1.
	for _, c := range []struct {
		a, b float64
		ok   bool
	}{{3, 2, true}, {3.0001, 2, false}, {1, 2, true}, {0.5, 0, true}, {-0.6, 0, false}} {
		if got := outcome(ir.F64, 0.25, 0.5, floats(c.a), floats(c.b)); got.OK != c.ok {
			t.Errorf("%v against %v: %+v", c.a, c.b, got)
		}
	}
}

func TestTheLargestErrorIsReportedEvenWithinTolerance(t *testing.T) {
	if got := outcome(ir.F64, 0, 2, floats(1, 5, 3), floats(1, 3.5, 3)); !got.OK || got.MaxAbsError != 1.5 {
		t.Errorf("%+v", got)
	}
}

func TestANaNNeverMatchesAndStaysPrintable(t *testing.T) {
	got := outcome(ir.F64, 1, 1, floats(math.NaN(), math.Inf(1), math.Inf(-1)), floats(math.NaN(), math.Inf(1), 0))
	if got.Mismatches != 2 || got.MaxAbsError != math.MaxFloat64 {
		t.Errorf("%+v", got)
	}
}

func TestLargeIntegersAreComparedExactly(t *testing.T) {
	big := uint64(1)<<63 + 1
	for _, typ := range []ir.Type{ir.U64, ir.S64, ir.B64} {
		if got := outcome(typ, 0, 0, []uint64{big}, []uint64{big + 1}); got.OK || got.MaxAbsError != 1 {
			t.Errorf("%s: %+v", typ, got)
		}
	}
}

func TestSmallSignedIntegersKeepTheirSign(t *testing.T) {
	if got := outcome(ir.S8, 0, 0, []uint64{0xff}, []uint64{1}); got.MaxAbsError != 2 ||
		got.First != "element 0 is -1, expected 1" {
		t.Errorf("%+v", got)
	}
}

func TestASumIsTakenInDouble(t *testing.T) {
	b := &buffer{name: "b", typ: ir.F32, count: 3}
	data, _ := binary.Append(nil, binary.LittleEndian, []float32{1e8, 1, -1e8})
	sum := 1.0
	x := &expectation{buffer: b, sum: &sum}
	if got := x.compare(data); !got.OK {
		t.Errorf("%+v", got)
	}
	sum = 3
	if got := x.compare(data); got.OK || got.Mismatches != 1 || got.MaxAbsError != 2 {
		t.Errorf("%+v", got)
	}
}
