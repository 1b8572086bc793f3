package emu

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/stream"
)

// timed returns the kernel with the destinations in the timing, as an allocated kernel has them.
func (k *kit) timed() *ir.Kernel {
	out := k.kernel()
	for i := range out.Insts {
		in := &out.Insts[i]
		in.T.NDst = 0
		for _, o := range in.Dst {
			for w := range max(o.Words, 1) {
				if o.Kind == ir.KindReg {
					in.T.Dst[in.T.NDst] = ir.RegID(o.Reg) + ir.RegID(w)
					in.T.NDst++
				}
			}
		}
	}
	return out
}

// valuesOf executes a CTA of n threads, and returns the classes of each warp's values.
func valuesOf(t *testing.T, k *ir.Kernel, n int) [][]stream.Value {
	t.Helper()
	p, err := prepareValued(k)
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLaunch(p, &mem.Memory{}, launch(1, n), Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return collect(t, l)[0].Values
}

// sameValues compares classes, of which the differences and whether they are affine.
func sameValues(t *testing.T, got []stream.Value, want ...[2]any) {
	t.Helper()
	var g [][2]any
	for _, v := range got {
		g = append(g, [2]any{v.Difference(), v.Affine()})
	}
	if d := cmp.Diff(want, g); d != "" {
		t.Errorf("values (-want +got):\n%s", d)
	}
}

func TestTheClassesOfResultsAreRecordedInOrder(t *testing.T) {
	k := newKit(0)
	k.op(ir.OpMov, ir.U32, ir.R(0, 1), special(ir.TidX))
	k.op(ir.OpMul, ir.U32, ir.R(1, 1), ir.R(0, 1), ir.R(0, 1)).Mods.Part = ir.Lo
	k.op(ir.OpMov, ir.U64, ir.R(2, 2), ir.Imm(7, 2))
	k.below(4)
	k.exit(ir.Operand{})
	v := valuesOf(t, k.timed(), 64)
	first := [][2]any{{stream.Byte, true}, {stream.Half, false}, {stream.Equal, true}, {stream.Equal, true}}
	sameValues(t, v[0], first...)
	sameValues(t, v[1], first...)
}

func TestTheClassAfterAPartialWriteIsOfTheWholeRegister(t *testing.T) {
	k := newKit(0)
	k.op(ir.OpMov, ir.U32, ir.R(0, 1), ir.Imm(5, 1))
	k.below(8)
	k.op(ir.OpMov, ir.U32, ir.R(0, 1), ir.Imm(1000, 1)).Guard = ir.P(0)
	k.bra(ir.P(0), "end")
	k.op(ir.OpMov, ir.U32, ir.R(0, 1), ir.Imm(1000, 1))
	k.label("end")
	k.exit(ir.Operand{})
	sameValues(t, valuesOf(t, k.timed(), 32)[0], [2]any{stream.Equal, true}, [2]any{stream.Half, false},
		[2]any{stream.Equal, true})
}

func TestLanesWithoutAThreadDoNotCountInAClass(t *testing.T) {
	k := newKit(0)
	k.op(ir.OpMov, ir.U32, ir.R(0, 1), special(ir.TidX))
	k.op(ir.OpMul, ir.U32, ir.R(1, 1), ir.R(0, 1), ir.Imm(40, 1)).Mods.Part = ir.Lo
	k.exit(ir.Operand{})
	sameValues(t, valuesOf(t, k.timed(), 4)[0], [2]any{stream.Byte, true}, [2]any{stream.Byte, true})
	sameValues(t, valuesOf(t, k.timed(), 32)[0], [2]any{stream.Byte, true}, [2]any{stream.Half, true})
}

func TestTheResultOfABarrierHasNoClass(t *testing.T) {
	k := newKit(0)
	k.below(4)
	in := k.add(ir.Inst{Op: ir.OpBar, Dst: []ir.Operand{ir.R(0, 1)},
		Src: []ir.Operand{ir.Imm(0, 1), {}, ir.P(0)}})
	in.Mods.Bar = ir.BarRedPopc
	k.exit(ir.Operand{})
	sameValues(t, valuesOf(t, k.timed(), 32)[0], [2]any{stream.Unlike, false})
}

// The lower lanes wait in a shuffle while the upper ones write the register that the shuffle writes later.
func TestNothingIsSaidOfValuesWhileLanesWaitForOthers(t *testing.T) {
	k := newKit(0)
	all := ir.Imm(0xffffffff, 1)
	shuffle := func(d ir.Reg) {
		k.add(ir.Inst{Op: ir.OpShfl, Type: ir.B32, SrcType: ir.B32, Mods: ir.Mods{Shfl: ir.ShflIdx, Sync: true},
			Dst: []ir.Operand{ir.R(d, 1)}, Src: []ir.Operand{special(ir.TidX), ir.Imm(3, 1), ir.Imm(0x1f, 1), all}})
	}
	k.op(ir.OpMov, ir.U32, ir.R(0, 1), ir.Imm(5, 1))
	k.below(8)
	k.bra(ir.P(0), "low")
	shuffle(1)
	k.bra(ir.Operand{}, "end")
	k.label("low")
	k.op(ir.OpMov, ir.U32, ir.R(1, 1), ir.Imm(0, 1))
	shuffle(2)
	k.label("end")
	k.op(ir.OpMov, ir.U32, ir.R(3, 1), ir.R(1, 1))
	k.exit(ir.Operand{})
	sameValues(t, valuesOf(t, k.timed(), 32)[0], [2]any{stream.Equal, true}, [2]any{stream.Unlike, false},
		[2]any{stream.Unlike, false}, [2]any{stream.Byte, false}, [2]any{stream.Byte, false})
}

func TestStreamsAreTheSameWithValuesAndWithout(t *testing.T) {
	var streams [2][]warpOf
	for i := range streams {
		var m mem.Memory
		values := i == 1
		l := begin(t, Runner{Mem: &m, Values: values}, textLaunch(kernelText(t, 1, unlike), 40, 64, m.Alloc("a", 256)))
		for _, c := range collect(t, l) {
			if (c.Values != nil) != values {
				t.Fatalf("values %t: a CTA has %v", values, c.Values)
			}
			streams[i] = append(streams[i], own(c)...)
		}
	}
	if d := cmp.Diff(streams[0], streams[1]); d != "" {
		t.Errorf("streams (-without +with values):\n%s", d)
	}
}
