package version

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// line returns an instruction with the timing of another one and a name in the program.
func line(in *ir.Inst, sym string, number int32) *ir.Inst {
	in.Sym, in.Line = sym, number
	return in
}

// Warps 0 and 1 write register 5 in cycles 2 and 3, and read it in 7 and 9. A reader without a writer is wrong too.
func TestAnOperandReadTooEarlyIsExplainedByItsWriterInTheSameWarp(t *testing.T) {
	k := NewChecker(2, 8, 0)
	k.Explain()
	var readers []op.Op
	for w := range uint16(2) {
		at := wire.Cycle(w)
		k.Issue(&op.Op{Inst: line(inst([]ir.RegID{5}), "IADD", 10+int32(w)), Tag: 1 + uint32(w), Exec: 3, Warp: w,
			Issued: 2 + at})
		o := op.Op{Inst: line(inst(nil, 0, 5), "FADD", 20+int32(w)), Tag: 5 + uint32(w), Exec: 3, Warp: w,
			Issued: 7 + 2*at}
		k.Issue(&o)
		readers = append(readers, o)
	}
	for i := range readers {
		k.Operand("C", 12, &readers[i], 1, &Content{})
	}
	got := k.Violations()
	if len(got) != 4 {
		t.Fatalf("%d violations, want those of two lanes in each of two warps", len(got))
	}
	for i, v := range got {
		w := i / 2
		want := fmt.Sprintf("FADD at line %d was issued %d cycles after IADD at line %d, whose result it reads", 20+w,
			5+w, 10+w)
		if v.Early != want {
			t.Errorf("violation %d: %q, want %q", i, v.Early, want)
		}
	}
}

func TestPredicatesAndUniformRegistersAreNamedAsInTheirProgram(t *testing.T) {
	in := &ir.Inst{Sym: "PLOP3"}
	in.T.SrcPreds, in.T.SrcUniform = 1<<2|1<<ir.UniformPreds|1<<(ir.UniformPreds+3), 1|1<<7
	compiled := &ir.Inst{}
	compiled.T.SrcPreds = in.T.SrcPreds
	writer := &ir.Inst{}
	writer.T.DstPreds, writer.T.DstUniform = in.T.SrcPreds, in.T.SrcUniform
	for reader, want := range map[*ir.Inst]string{in: "P2 UP0 UP3 UR0 UR7 ",
		compiled: fmt.Sprintf("P2 P%d P%d ", ir.UniformPreds, ir.UniformPreds+3)} {
		k := NewChecker(1, 8, 0)
		k.Issue(&op.Op{Inst: writer, Tag: 7, Exec: 1})
		k.AtIssue("S", 3, 0, reader, 1, true)
		if got := names(k); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A uniform register has one value for all lanes. An instruction in one lane reads it as a whole.
func TestAUniformRegisterIsReadInAllLanes(t *testing.T) {
	k := NewChecker(1, 8, 0)
	w, r := &ir.Inst{}, &ir.Inst{}
	w.T.DstUniform, r.T.SrcUniform = 1, 1
	k.Issue(&op.Op{Inst: w, Tag: 7, Exec: 1})
	k.AtIssue("S", 3, 0, r, 1, true)
	if got := names(k); got != "UR0 " || k.Total() != 32 {
		t.Errorf("%s, %d lanes; want UR0 in 32 lanes", got, k.Total())
	}
}

// Both warps write, under tags 1 and 2, in cycles 2 and 3. That of warp 0 is announced. Their readers take predicate 3
// and uniform register 5 at the unit in cycle 10.
func TestOperandsAtTheUnitAreThoseOfTheWarp(t *testing.T) {
	k := NewChecker(2, 8, 0)
	k.Timed()
	k.Explain()
	w, r := &ir.Inst{}, &ir.Inst{}
	w.T.DstPreds, w.T.DstUniform = 1<<3, 1<<5
	r.T.SrcPreds, r.T.SrcUniform = 1<<3, 1<<5
	for i := range uint16(2) {
		o := op.Op{Inst: line(w, "ISETP", 1), Tag: 1 + uint32(i), Exec: 1, Warp: i, Issued: 2 + wire.Cycle(i)}
		k.Issue(&o)
		if i == 0 {
			result := o.Result()
			k.Arrives(4, &result)
		}
	}
	for i := range uint16(2) {
		o := op.Op{Inst: line(r, "SEL", 2), Tag: 5 + uint32(i), Exec: 1, Warp: i, Issued: 8}
		k.Issue(&o)
		k.AtUnit("U", 9, &o)
	}
	if got := names(k); got != "P3 UR5 " {
		t.Fatalf("%q, want the operands of warp 1", got)
	}
	for _, v := range k.Violations() {
		if v.Warp != 1 || !strings.Contains(v.Early, "5 cycles after") {
			t.Errorf("%v, want warp 1, 5 cycles after the writer of its own", v)
		}
	}
	k.WarpStart(20, 1)
	o := op.Op{Inst: r, Tag: 9, Exec: 1, Warp: 1, Issued: 21}
	k.Issue(&o)
	k.AtUnit("U", 22, &o)
	if n := len(k.Violations()); n != 2 {
		t.Errorf("%d violations, want no more: the warp is a new one, which has written nothing", n)
	}
}

// The result arrives in cycle 11. An operation entered its unit in cycle 10, and others later.
func TestAResultThatArrivesAfterTheEntryIsNotSeen(t *testing.T) {
	k := NewChecker(1, 8, 0)
	k.Timed()
	w, r := &ir.Inst{}, &ir.Inst{}
	w.T.DstUniform, r.T.SrcUniform = 1<<5, 1<<5
	o := op.Op{Inst: w, Tag: 1, Exec: 1}
	k.Issue(&o)
	result := o.Result()
	k.Arrives(11, &result)
	k.WarpStart(0, 0) // in cycle 0 nothing has arrived
	k.Issue(&o)
	for i := range uint32(3) {
		x := op.Op{Inst: r, Tag: 5 + i, Exec: 1}
		k.Issue(&x)
		k.AtUnit("U", 9+wire.Cycle(i), &x)
	}
	k.WarpStart(20, 0)
	if got := k.Violations(); len(got) != 1 || got[0].Cycle != 10 {
		t.Errorf("%v, want one in cycle 10", got)
	}
}

func TestTheLimitHoldsForPredicatesToo(t *testing.T) {
	k := NewChecker(1, 8, 1)
	k.Issue(&op.Op{Inst: setp(), Tag: 7, Exec: 0b11})
	k.AtIssue("S", 2, 0, guarded(), 0b11, false)
	if got := names(k); got != "P2 " || k.Total() != 34 {
		t.Errorf("%s, %d lanes; want one listed of 34", got, k.Total())
	}
}

func TestTheLanesOfA32FoldVersionAreTakenAsTheyAre(t *testing.T) {
	var c Content
	for lane := range 32 {
		c = c.Write(uint32(lane+1), 1<<lane)
	}
	for _, lanes := range []uint32{FullMask, 0xffff, FullMask &^ 1} {
		part := c.Only(lanes)
		for lane := range 32 {
			want := uint32(lane+1) * (lanes >> lane & 1)
			if got := part.Lane(lane); got != want {
				t.Errorf("lanes %#x: lane %d has version %d, want %d", lanes, lane, got, want)
			}
		}
	}
}

func TestARetiredOperationHasNoPlace(t *testing.T) {
	r := newRing[int]()
	for tag := uint32(1); tag < 5000; tag++ {
		*r.add(tag) = int(tag)
		if x := r.find(tag); x == nil || *x != int(tag) {
			t.Fatalf("tag %d: %v, want its entry", tag, x)
		}
		if r.drop(tag); r.find(tag) != nil {
			t.Fatalf("tag %d has an entry after its end", tag)
		}
	}
}
