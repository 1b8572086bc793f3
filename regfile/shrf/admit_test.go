package shrf

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/stats"
	"kumiko/components/storage"
	"kumiko/components/wire"
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

func mov(d, s ir.Reg) ir.Inst {
	return ir.Inst{Op: ir.OpMov, Type: ir.U32, Dst: []ir.Operand{ir.R(d, 1)}, Src: []ir.Operand{ir.R(s, 1)}}
}

// Register 1 lives through the barrier at the end of the first strand, register 2 does not.
func TestAPlanHasTheStrandsAndWhatIsLiveWhereTheyBegin(t *testing.T) {
	k := &ir.Kernel{Name: "k", NumRegs: 8, NumPreds: 1, Allocated: true, Insts: []ir.Inst{
		mov(1, 0), mov(2, 1), mov(3, 2), {Op: ir.OpBar}, mov(4, 1), mov(5, 1), mov(6, 5), {Op: ir.OpExit}}}
	cfg.Build(k.Insts).SetReconv(k.Insts)
	for i := range k.Insts {
		ir.SetTiming(&k.Insts[i])
	}
	l, s := extensiontest.Launch(), Default()
	l.Tables = tables.New(k)
	a, err := s.Admit(l)
	if err != nil {
		t.Fatal(err)
	}
	p, ok := a.Plan.(*Plan)
	if !ok || len(p.Strands) != 2 || len(a.Insert.Ops) != 2 || a.Figures[0].Value != 2 {
		t.Fatalf("plan %+v, %d operations, figures %+v; want two strands", a.Plan, len(a.Insert.Ops), a.Figures)
	}
	if d := cmp.Diff([]int{0}, p.Strands[0].Live.Registers()); d != "" {
		t.Errorf("live at the first strand's begin (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]int{1}, p.Strands[1].Live.Registers()); d != "" {
		t.Errorf("live at the second strand's begin (-want +got):\n%s", d)
	}
	if s := &p.Strands[0]; s.Entry[2] == 0 || s.Through.Has(2) {
		t.Error("register 2 is read in the first strand alone: want an entry, and no write of the main file")
	}
}

// Four sub-cores with two places each, for eight active warps, of 16 entries: 128 entries.
func TestTheStateIsTheEntriesOfThePlaces(t *testing.T) {
	var reg stats.Registry
	env := &regfile.Env{Domain: wire.NewDomain("Core", 1e9), Stats: &reg, Name: "SM", Schedulers: 4, IssueWidth: 1,
		Warps: 32, Active: 8, TwoLevel: true, Registers: 64, Writebacks: 1, ReadNotice: true}
	for i := range 4 {
		env.Units = append(env.Units, regfile.Unit{Name: "SP", Kind: "sp", Sched: i})
	}
	s := Default()
	s.base.SubCores = 4
	f, err := NewFile(env, s)
	if err != nil {
		t.Fatal(err)
	}
	var got []regfile.State
	for _, s := range f.State() {
		if s.Block == "Upper" {
			got = append(got, s)
		}
	}
	if d := cmp.Diff([]regfile.State{
		{Block: "Upper", What: "registers", Count: 4, Bits: 128 * 1024, Ports: "3r1w", Kind: storage.FlipFlop,
			Width: 1024, CellPorts: "3r1w"},
		{Block: "Upper", What: "lane masks", Count: 4, Bits: 128 * 32, Kind: storage.FlipFlop, Width: 32,
			CellPorts: "3r1w"},
		{Block: "Upper", What: "dirty bits", Count: 4, Bits: 128, Kind: storage.FlipFlop, Width: 1,
			CellPorts: "3r1w"},
	}, got); d != "" {
		t.Errorf("storage (-want +got):\n%s", d)
	}
}
