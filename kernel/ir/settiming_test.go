package ir

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// timed returns the timing of an instruction, with empty fields where SetTiming sets none.
func timed(in Inst) Timing {
	SetTiming(&in)
	return in.T
}

func TestAddressRegistersComeFirst(t *testing.T) {
	got := timed(Inst{Op: OpSt, Type: F32, Space: Global, Addr: Addr{Base: R(4, 2)}, Src: []Operand{R(9, 1), R(8, 1)}})
	want := Timing{Class: ClassStore, Space: Global, NSrc: 4, NAddr: 2, Src: [NumSources]RegID{4, 5, 9, 8}, Bytes: 8,
		Slots: 0<<0 | 0<<2 | 1<<4 | 2<<6}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAWideOperandCountsAsTwoRegisters(t *testing.T) {
	got := timed(Inst{Op: OpFma, Type: F64, Dst: []Operand{R(0, 2)}, Src: []Operand{R(2, 2), R(2, 2), Imm(1, 2)}})
	want := Timing{Class: ClassDFMA, NSrc: 4, NDst: 2, Src: [NumSources]RegID{2, 3, 2, 3}, Dst: [NumDests]RegID{0, 1},
		Slots: 0<<0 | 0<<2 | 1<<4 | 1<<6}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestTheGuardIsAPredicateSource(t *testing.T) {
	guard := P(2)
	guard.Neg = true
	got := timed(Inst{Op: OpSetp, Type: S32, Guard: guard, Dst: []Operand{P(0), P(5)},
		Src: []Operand{R(1, 1), Imm(3, 1), P(1)}})
	want := Timing{Class: ClassCompare, NSrc: 1, Src: [NumSources]RegID{1}, SrcPreds: 1<<2 | 1<<1,
		DstPreds: 1<<0 | 1<<5, Guarded: true}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestConstantBankOperandsAreCounted(t *testing.T) {
	got := timed(Inst{Op: OpMad, Type: S32, Mods: Mods{Part: Lo}, Dst: []Operand{R(0, 1)},
		Src: []Operand{{Kind: KindParam, Words: 1}, {Kind: KindSpecial, Special: NtidX, Words: 1},
			{Kind: KindSpecial, Special: TidX, Words: 1}}})
	if got.Consts != 2 || got.NSrc != 0 || got.Class != ClassIntMul {
		t.Errorf("consts %d, sources %d, class %s; want 2, 0, int_mul", got.Consts, got.NSrc, got.Class)
	}
}

func TestAVectorLoadSkipsItsSinks(t *testing.T) {
	got := timed(Inst{Op: OpLd, Type: F32, Space: Shared, Addr: Addr{Base: R(7, 1)},
		Dst: []Operand{R(1, 1), {}, {}, R(3, 1)}})
	want := Timing{Class: ClassLoad, Space: Shared, NSrc: 1, NAddr: 1, NDst: 2, Src: [NumSources]RegID{7},
		Dst: [NumDests]RegID{1, 3}, Bytes: 16}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAnalysesOfTheWholeKernelAreKept(t *testing.T) {
	got := timed(Inst{Op: OpMov, Type: U32, T: Timing{Dead: 1, LongConsumer: true, NSrc: 3}})
	if got.Dead != 1 || !got.LongConsumer || got.NSrc != 0 {
		t.Errorf("%+v", got)
	}
}

func TestEveryOperationHasAClass(t *testing.T) {
	for op := OpNop + 1; op < NumOps; op++ {
		if op == OpSetmaxnreg {
			continue // it ends at issue, as a nop
		}
		for _, typ := range []Type{S32, F32, F64, F16} {
			if c := ClassOf(&Inst{Op: op, Type: typ, SrcType: typ}); c == ClassNop {
				t.Errorf("%s.%s has no class", op, typ)
			}
		}
	}
}

func TestClassesFollowTheTypeThatIsComputedIn(t *testing.T) {
	for _, c := range []struct {
		in   Inst
		want Class
	}{
		{Inst{Op: OpAdd, Type: S32}, ClassInt},
		{Inst{Op: OpAdd, Type: F32}, ClassFAdd},
		{Inst{Op: OpAdd, Type: F64}, ClassDAdd},
		{Inst{Op: OpAdd, Type: F16x2}, ClassHalf},
		{Inst{Op: OpSqrt, Type: F32, Mods: Mods{Round: RN}}, ClassFDiv},
		{Inst{Op: OpSqrt, Type: F32, Mods: Mods{Approx: true}}, ClassSFU},
		{Inst{Op: OpRcp, Type: F64, Mods: Mods{Round: RN}}, ClassDDiv},
		{Inst{Op: OpSet, Type: U32, SrcType: F64}, ClassDAdd},
		{Inst{Op: OpBar}, ClassBarrier},
	} {
		if got := ClassOf(&c.in); got != c.want {
			t.Errorf("%s.%s: %s, want %s", c.in.Op, c.in.Type, got, c.want)
		}
	}
}

func TestTheLargestOperandListsFit(t *testing.T) {
	store := timed(Inst{Op: OpSt, Type: F32, Addr: Addr{Base: R(0, 2)},
		Src: []Operand{R(2, 1), R(3, 1), R(4, 1), R(5, 1)}})
	cas := timed(Inst{Op: OpAtom, Type: B64, Addr: Addr{Base: R(0, 2)}, Dst: []Operand{R(6, 2)},
		Src: []Operand{R(2, 2), R(4, 2)}})
	tex := timed(Inst{Op: OpTex, Type: F32, Space: Texture, Addr: Addr{Base: R(0, 2)},
		Src: []Operand{R(2, 1), R(3, 1), R(4, 1), R(5, 1), R(6, 1)},
		Dst: []Operand{R(0, 1), R(1, 1), R(2, 1), R(3, 1)}})
	if store.NSrc != 6 || cas.NSrc != 6 || tex.NSrc != 7 || tex.NDst != 4 || tex.Bytes != 4 {
		t.Errorf("store %d, cas %d, tex %d sources", store.NSrc, cas.NSrc, tex.NSrc)
	}
}

func TestARegisterBeyondTheFileIsAPanic(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("R256 was accepted")
		}
	}()
	timed(Inst{Op: OpMov, Type: U32, Dst: []Operand{R(256, 1)}})
}

// An immediate occupies slot b, a predicate none, and operands behind the fourth are in d.
func TestOperandSlotsAreThePlacesOfTheOperandsThatAreRead(t *testing.T) {
	for _, c := range []struct {
		src  []Operand
		want []int
	}{
		{[]Operand{R(1, 1), R(2, 1), R(3, 1)}, []int{0, 1, 2}},
		{[]Operand{R(1, 1), Imm(7, 1), R(3, 1)}, []int{0, 2}},
		{[]Operand{P(0), R(2, 1), {}, R(3, 1)}, []int{0, 1}},
		{[]Operand{R(1, 1), R(2, 1), R(3, 1), R(4, 1), R(5, 2)}, []int{0, 1, 2, 3, 3, 3}},
	} {
		got := timed(Inst{Op: OpMad, Type: S32, Guard: P(1), Src: c.src})
		if int(got.NSrc) != len(c.want) {
			t.Fatalf("%d sources, want %d", got.NSrc, len(c.want))
		}
		for i, want := range c.want {
			if got.Slot(i) != want {
				t.Errorf("%v: source %d is in slot %d, want %d", c.src, i, got.Slot(i), want)
			}
		}
	}
}
