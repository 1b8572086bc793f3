package regpool

import (
	"testing"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

func newFile(t *testing.T) *File {
	t.Helper()
	f, err := New(&regfile.Env{Domain: wire.NewDomain("Core", 1e9), Stats: &stats.Registry{}, Name: "SM", Schedulers: 2,
		IssueWidth: 1, Warps: 8, Registers: 64, Capacity: 256, Writebacks: 1, ReadNotice: true,
		Units: []regfile.Unit{{Name: "SP", Kind: "sp"}, {Name: "SP", Kind: "sp", Sched: 1}}}, Default())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestOnlyRequestsAreHeldAndOnlyTheOthersVacate(t *testing.T) {
	f := newFile(t)
	up, down, other := change(5, true), change(4, false), &ir.Inst{Op: ir.OpMov}
	for _, on := range []bool{true, false} {
		f.Begin(&plan{on: on, start: 4, most: 5})
		for in, want := range map[*ir.Inst]struct {
			held bool
			from int
		}{up: {on, regfile.NumRegisters}, down: {false, 32}, other: {false, regfile.NumRegisters}} {
			if !on {
				want.from = regfile.NumRegisters
			}
			if held, from := f.Gates()[0].Holds(in), f.Vacates(in); held != want.held || from != want.from {
				t.Errorf("%s, changes %v: held %v, registers from %d on given up; want %v and %d", in, on, held, from,
					want.held, want.from)
			}
		}
	}
}

func TestTheStateOfTheFileIsThatOfItsBanksAndOfThePools(t *testing.T) {
	f := newFile(t)
	data, err := conventional.New(&regfile.Env{Domain: wire.NewDomain("Core", 1e9), Stats: &stats.Registry{},
		Name: "SM", Schedulers: 2, IssueWidth: 1, Warps: 8, Registers: 64, Capacity: 256, Vacates: true, Writebacks: 1,
		ReadNotice: true, Units: []regfile.Unit{{Name: "SP", Kind: "sp"}, {Name: "SP", Kind: "sp", Sched: 1}}},
		new(conventional.Default()))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(f.State()), len(data.State())+len(f.pool.State()); got != want {
		t.Errorf("%d rows, want %d", got, want)
	}
	if f.pool.spec.Blocks != 32 || f.pool.spec.CTAs != 8 {
		t.Errorf("%d blocks and %d slots of CTAs, want 256 / 8 and one for each warp", f.pool.spec.Blocks,
			f.pool.spec.CTAs)
	}
}
