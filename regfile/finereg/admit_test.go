package finereg

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
)

// launch returns a launch of CTAs of 16 warp registers, two warps with eight each, on an SM of 64.
func launch() *regfile.Launch {
	return &regfile.Launch{WarpsPerCTA: 2, Registers: 8, CTARegisters: 512, Capacity: 64, Others: 16, Slotted: 3,
		OthersLimit: "warps", ByRegisters: 4, ByRegistersOf: func(n int) int { return n / 16 }}
}

func figure(a *regfile.Admission, name string) int {
	for _, f := range a.Figures {
		if f.Name == name {
			return f.Value
		}
	}
	return -1
}

func TestMoreCTAsAreResidentThanTheACRFHolds(t *testing.T) {
	for name, x := range map[string]struct {
		pcrf, others           int
		resident, active, held int
		limit                  string
	}{
		"half of the registers":   {32, 6, 6, 2, 2, "warps"},
		"room for one CTA":        {48, 6, 6, 1, 1, "warps"},
		"no CTA beyond":           {32, 2, 2, 2, 2, "warps"},
		"no PCRF":                 {0, 16, 4, 3, 4, ""},
		"no PCRF, others bind":    {0, 3, 3, 3, 3, "warps"},
		"no PCRF, both bind":      {0, 4, 4, 3, 4, ""},
		"as many by either limit": {16, 4, 4, 3, 3, "warps"},
	} {
		s, l := Default(), launch()
		s.PCRF, l.Others = x.pcrf, x.others
		if x.pcrf == 0 {
			l.ByRegistersOf = nil // the GPU's own number is known
		}
		a, err := s.Admit(l)
		if err != nil || a.Resident != x.resident || a.Active != x.active || a.Held != x.held || a.Limit != x.limit {
			t.Errorf("%s: %+v, error %v; want %+v", name, a, err, x)
			continue
		}
		if p := a.Plan.(*Plan); a.Used != 512*x.held || figure(&a, "ctas_in_acrf") != x.held || p.Entries != x.pcrf {
			t.Errorf("%s: %d registers, %d CTAs in the ACRF, %d entries; want %d, %d, %d", name, a.Used,
				figure(&a, "ctas_in_acrf"), p.Entries, 512*x.held, x.held, x.pcrf)
		}
	}
}

func TestACTAThatDoesNotFitInTheACRFIsRefusedWithItsNeed(t *testing.T) {
	for pcrf, want := range map[int]string{
		63: "a CTA needs 16 warp registers, the ACRF has 1",
		64: "regfile.finereg.pcrf: found 64, expected fewer than the 64 warp registers of an SM",
	} {
		s := Default()
		s.PCRF = pcrf
		if _, err := s.Admit(launch()); err == nil || err.Error() != want {
			t.Errorf("a PCRF of %d: error %v, want %q", pcrf, err, want)
		}
	}
}

// Six resident CTAs use 1000 bytes each of a pool of 64 registers for shared memory. This leaves 17 registers of
// 128 bytes. The ACRF holds three of the CTAs, so the other three have at most 3 * 2 * 8 live registers.
func TestAPCRFTakesOfAPoolWhatIsOfUse(t *testing.T) {
	for name, x := range map[string]struct {
		grows       bool
		pcrf, taken int
		pool        regfile.Pool
		want        int
	}{
		"of its size":                {false, 16, 16 * 128, regfile.Pool{Bytes: 8192, PerCTA: 1000}, 16},
		"less than its size":         {false, 18, 17 * 128, regfile.Pool{Bytes: 8192, PerCTA: 1000}, 17},
		"all that is left":           {true, 16, 17 * 128, regfile.Pool{Bytes: 8192, PerCTA: 1000}, 17},
		"all that could be live":     {true, 16, 48 * 128, regfile.Pool{Bytes: 8192}, 48},
		"nothing is left":            {true, 16, 0, regfile.Pool{Bytes: 8192, PerCTA: 2000}, 0},
		"no pool":                    {true, 16, 0, regfile.Pool{}, 16},
		"no PCRF, whatever the pool": {true, 0, 0, regfile.Pool{Bytes: 8192}, 0},
	} {
		s, l := Default(), launch()
		s.PCRF, s.Grows, l.Pool, l.Others = x.pcrf, x.grows, x.pool, 6
		a, err := s.Admit(l)
		if err != nil || a.Pooled != x.taken || a.Plan.(*Plan).Entries != x.want {
			t.Errorf("%s: %d bytes, %d entries, error %v; want %d and %d", name, a.Pooled, a.Plan.(*Plan).Entries, err,
				x.taken, x.want)
		}
		shown := x.want
		if x.pool.Bytes == 0 || x.pcrf == 0 {
			shown = -1
		}
		if n := figure(&a, "pcrf_registers"); n != shown {
			t.Errorf("%s: %d registers of the PCRF shown, want %d", name, n, shown)
		}
	}
}

// Lanes on the path through instructions 2 and 3 do not read R5; the lanes waiting for them do. At most three
// registers are live at once, at the branch: R0, R5 and R6.
func TestLiveRegistersAreThoseOfTheWarpOrOfThePath(t *testing.T) {
	mov := func(d, s ir.Reg) ir.Inst {
		return ir.Inst{Op: ir.OpMov, Type: ir.U32, Dst: []ir.Operand{ir.R(d, 1)}, Src: []ir.Operand{ir.R(s, 1)}}
	}
	k := &ir.Kernel{Name: "k", NumRegs: 8, NumPreds: 1, Allocated: true, Insts: []ir.Inst{
		mov(5, 0), mov(6, 0), {Op: ir.OpBra, Guard: ir.P(0), Target: 5}, mov(1, 0),
		{Op: ir.OpBra, Target: 7}, mov(2, 5), mov(3, 6), {Op: ir.OpExit}}}
	cfg.Build(k.Insts).SetReconv(k.Insts)
	for i := range k.Insts {
		ir.SetTiming(&k.Insts[i])
	}
	for live, others := range map[string]bool{LiveWarp: true, LivePath: false} {
		s, l := Default(), launch()
		s.Live, l.Tables = live, tables.New(k)
		if got := s.table(l)[3]; !got.Has(0) || got.Has(5) != others {
			t.Errorf("%s: registers %v are live on the path, want 0, and 5: %v", live, got.Registers(), others)
		}
		if n := s.mostLive(l); n != 3 {
			t.Errorf("%s: %d registers are live at most, want 3", live, n)
		}
	}
}

// With 31 entries and eight CTAs a pointer is five bits, as is the number of a warp. A tag has
// two flags and six bits of a register's number besides, a line of the pointer table six of a
// count. Of 256 awaited results each has three flags, three bits of a context's number, six of a register's, and a
// pointer.
func TestTheStateIsThatOfThePCRFAndItsTables(t *testing.T) {
	m := newSwaps(t, 31)
	list := m.f.State()
	if len(list) < 10 {
		t.Fatalf("%d blocks", len(list))
	}
	row := func(block, what string, entries, width int, kind storage.Kind, apart bool) regfile.State {
		return regfile.State{Block: block, What: what, Count: 1, Bits: entries * width, Ports: "1rw", Kind: kind,
			Width: width, Apart: apart}
	}
	if d := cmp.Diff([]regfile.State{
		{Block: "PCRF", What: "registers", Count: 1, Bits: 31 * 1024, Ports: "1rw",
			Kind: storage.SRAM, Width: 1024, CellPorts: list[0].Ports},
		row("PCRF", "tags", 31, 2+5+5+6, storage.SRAM, false),
		row("RMU", "pointer table", 8, 5+6, storage.SRAM, false),
		row("RMU", "live register cache", 32, 32+64, storage.SRAM, false),
		row("RMU", "transfer buffer", 1, 1024, storage.FlipFlop, false),
		row("RMU", "free space monitor", 1, 31, storage.FlipFlop, true),
		row("RMU", "counts above six bits", 8, 0, storage.SRAM, true),
		row("RMU", "live vectors of the CTA that goes", 32, 64, storage.SRAM, true),
		row("RMU", "register that waits for its place", 1, 1024+5+6, storage.FlipFlop, true),
		row("RMU", "awaited results", 256, 3+3+6+5, storage.CAM, true),
	}, list[len(list)-10:]); d != "" {
		t.Errorf("storage (-want +got):\n%s", d)
	}
}

func build(s Spec, change func(*regfile.Env)) (*File, error) {
	env := &regfile.Env{Domain: wire.NewDomain("Core", 1e9), Stats: &stats.Registry{}, Name: "SM", Schedulers: 1,
		IssueWidth: 1, Warps: 8, CTAs: 8, Registers: 64, Writebacks: 1, Units: []regfile.Unit{{Name: "SP", Kind: "sp"}}}
	change(env)
	return NewFile(env, s)
}

// Of 128 registers a number has seven bits, a vector 128. A count of up to 1,024 registers has eleven bits, five more
// than the paper's.
func TestTablesAreAsWideAsTheRegistersOfAThreadWantThem(t *testing.T) {
	s := Default()
	s.Vector = 20
	f, err := build(s, func(e *regfile.Env) { e.Registers = 128 })
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, x := range f.State() {
		got[x.What] = x.Bits
	}
	for what, want := range map[string]int{"tags": 1024 * (2 + 10 + 5 + 7), "live register cache": 32 * (32 + 128),
		"live vectors of the CTA that goes": 32 * 128, "register that waits for its place": 1024 + 5 + 7,
		"awaited results": 256 * (3 + 3 + 7 + 10), "counts above six bits": 8 * 5} {
		if got[what] != want {
			t.Errorf("%s: %d bits, want %d", what, got[what], want)
		}
	}
}

func TestVectorsThatAreTooShortForTheRegistersOfAThreadAreRefused(t *testing.T) {
	_, err := build(Default(), func(e *regfile.Env) { e.Registers = 255 })
	want := "vector_bytes: found 12, expected at least 32: a bit for each of 255 registers of a thread " +
		"(sm.max_registers_per_thread)"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestAPCRFInAPoolIsBuiltForAllOfThePool(t *testing.T) {
	for name, x := range map[string]struct{ pcrf, pool, want int }{
		"a pool":                     {16, 40 * 128, 40},
		"a pool of less":             {16, 8 * 128, 16},
		"no pool":                    {16, 0, 16},
		"no PCRF, whatever the pool": {0, 40 * 128, 0},
		"as much as can be named":    {16, mostEntries * 128, mostEntries},
	} {
		s := Default()
		s.PCRF = x.pcrf
		f, err := build(s, func(e *regfile.Env) { e.Pool = x.pool })
		if err != nil || f.most != x.want {
			t.Errorf("%s: %v, want %d entries; error %v", name, f, x.want, err)
		}
	}
	if _, err := build(Default(), func(e *regfile.Env) { e.Pool = (mostEntries + 1) * 128 }); err == nil {
		t.Error("a pool of more entries than a pointer can name is accepted")
	}
}

// The ACRF has the SM's registers without the PCRF. A PCRF of all registers is refused at the launch.
func TestTheACRFIsTheRestOfTheSMsRegisters(t *testing.T) {
	for pcrf, want := range map[int]int{0: 256, 128: 128, 256: 256} {
		s := Default()
		s.PCRF = pcrf
		f, err := build(s, func(e *regfile.Env) { e.Capacity = 256 })
		if err != nil {
			t.Fatal(err)
		}
		if got := f.File.State()[0].Bits; got != 8*128*want {
			t.Errorf("a PCRF of %d: %d bits of registers in the ACRF, want %d", pcrf, got, 8*128*want)
		}
	}
}

// All SMs read the same table of live vectors.
func TestTheTableOfLiveVectorsIsTheSameForAllSMs(t *testing.T) {
	for sm := range 3 {
		f, err := build(Default(), func(e *regfile.Env) { e.SM = sm })
		if err != nil {
			t.Fatal(err)
		}
		if b := f.rmu.vectors.base; b != 1<<43 {
			t.Errorf("SM %d: the table begins at %#x, want %#x", sm, b, 1<<43)
		}
	}
}
