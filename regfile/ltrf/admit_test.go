package ltrf

import (
	"testing"

	"kumiko/components/wire/wiretest"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/tables"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional/extensiontest"
)

func TestResidencyIsThatOfTheGPUsRules(t *testing.T) {
	s := Default()
	extensiontest.AdmitsByTheGPUsRules(t, s.Admit)
}

// program is a launch of seven instructions on seven registers with a barrier in the midst. R1
// lives through the barrier.
func program() *regfile.Launch {
	mov := func(d, s ir.Reg) ir.Inst {
		return ir.Inst{Op: ir.OpMov, Type: ir.U32, Dst: []ir.Operand{ir.R(d, 1)}, Src: []ir.Operand{ir.R(s, 1)}}
	}
	k := &ir.Kernel{Name: "k", File: "k.ptx", NumRegs: 8, NumPreds: 1, Allocated: true, Insts: []ir.Inst{
		mov(1, 0), mov(2, 1), mov(3, 2), {Op: ir.OpBar}, mov(4, 1), mov(5, 4), mov(6, 5), {Op: ir.OpExit}}}
	cfg.Build(k.Insts).SetReconv(k.Insts)
	for i := range k.Insts {
		ir.SetTiming(&k.Insts[i])
	}
	l := extensiontest.Launch()
	l.Tables = tables.New(k)
	return l
}

// A vector of 256 bits takes 32 bytes. With an instruction to carry it, it takes 40 and an issue slot.
func TestPrefetchesTakeTheCodeOfTheirEncoding(t *testing.T) {
	for encoding, bytes := range map[string]int{Bit: 32, Instruction: 40} {
		s := Default()
		s.Encoding, s.Regions = encoding, Strands
		a, err := s.Admit(program())
		if err != nil || len(a.Insert.Ops) != 2 {
			t.Fatalf("%s: %+v, error %v; want two strands", encoding, a, err)
		}
		for _, o := range a.Insert.Ops {
			if want := (regfile.Inserted{Bytes: bytes, Slot: encoding == Instruction, Drained: true}); o != want {
				t.Errorf("%s: operation %+v, want %+v", encoding, o, want)
			}
		}
		if a.Figures[0].Value != 2 || a.Figures[1].Value != 2*bytes {
			t.Errorf("%s: figures %+v, want 2 prefetches of %d bytes each", encoding, a.Figures, bytes)
		}
	}
}

// The program is one interval, and two strands, since a strand ends at a barrier.
func TestRegionsAreIntervalsOrStrands(t *testing.T) {
	for regions, want := range map[string]int{Intervals: 1, Strands: 2} {
		s := Default()
		s.Regions = regions
		a, err := s.Admit(program())
		if err != nil || len(a.Plan.(*Plan).Sets) != want {
			t.Errorf("%s: %+v, error %v; want %d", regions, a.Plan, err, want)
		}
		s.Interval = 1
		if _, err := s.Admit(program()); err == nil {
			t.Errorf("%s: regions of one register are accepted, though instructions name two", regions)
		}
	}
}

func TestAPlanHasTheLiveRegistersWhereTheyAreUsed(t *testing.T) {
	for liveness, want := range map[string]bool{None: false, Dynamic: false, Vector: true} {
		s := Default()
		s.Regions, s.Liveness = Strands, liveness
		a, err := s.Admit(program())
		if err != nil {
			t.Fatal(err)
		}
		p := a.Plan.(*Plan)
		if (p.Live != nil) != want || (p.LiveAt != nil) != want {
			t.Errorf("%s: live registers %v, by instruction %v; want some: %v", liveness, p.Live, p.LiveAt, want)
		}
		if want {
			wiretest.Same(t, "live where the strands begin", [][]int{{0}, {1}}, [][]int{p.Live[0].Registers(),
				p.Live[1].Registers()})
		}
	}
}

func TestVectorsWithoutEffectWaitForNoOperand(t *testing.T) {
	s := DefaultCode()
	s.Encoding = Instruction
	a, err := s.Admit(program())
	if err != nil || a.Plan != nil || len(a.Insert.Ops) == 0 {
		t.Fatalf("%+v, error %v; want vectors, and no plan", a, err)
	}
	for _, o := range a.Insert.Ops {
		if want := (regfile.Inserted{Bytes: 40, Slot: true}); o != want {
			t.Errorf("operation %+v, want %+v", o, want)
		}
	}
	if a, err := s.Admit(extensiontest.Launch()); err != nil || a.Insert != nil { // the program is not known
		t.Errorf("%+v, error %v; want nothing inserted", a, err)
	}
	s.Interval = 0
	if _, err := NewCode(&regfile.Env{}, s); err == nil {
		t.Error("vectors of no register are accepted")
	}
}
