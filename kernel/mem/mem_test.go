package mem

import (
	"strings"
	"testing"

	"kumiko/kernel/ir"
)

func TestPlacementDependsOnOrderAndSizeAlone(t *testing.T) {
	var m Memory
	// Each region is followed by a gap of 256 bytes and begins at a multiple of 256.
	for i, want := range []uint64{ir.GlobalBase, ir.GlobalBase + 512, ir.GlobalBase + 1024, ir.GlobalBase + 1792} {
		if got := m.Alloc("r", []int{1, 256, 257, 0}[i]); got != want {
			t.Errorf("region %d is at %#x, want %#x", i, got, want)
		}
	}
}

func TestRangesAreFoundOnlyInsideOneRegion(t *testing.T) {
	var m Memory
	a := m.Alloc("a", 100)
	m.Alloc("b", 100)
	for _, c := range []struct {
		addr uint64
		size int
		ok   bool
	}{
		{a, 100, true}, {a + 99, 1, true}, {a + 100, 0, true}, {a, 101, false}, {a + 97, 4, false}, {a + 100, 1, false},
		{a - 1, 1, false}, {0, 4, false}, {^uint64(0), 1, false}, {^uint64(0) - 3, 4, false}, {a + 512, 100, true},
		{a + 1<<40, 1, false},
	} {
		if got := m.Find(c.addr, c.size) != nil; got != c.ok {
			t.Errorf("[%#x, +%d) found: %v", c.addr, c.size, got)
		}
		_, err := m.Bytes(c.addr, c.size)
		if (err == nil) != c.ok {
			t.Errorf("bytes of [%#x, +%d): error %v", c.addr, c.size, err)
		}
	}
}

func TestAnAddressOutsideNamesTheRegionsOnBothSidesTheNearerFirst(t *testing.T) {
	var m Memory
	if m.Near(5) != "" {
		t.Errorf("an empty memory names %q", m.Near(5))
	}
	a := m.Alloc("first", 100)
	b := m.Alloc("second", 100)
	for addr, want := range map[uint64]string{
		a - 8: `8 bytes before the start of "first"`,
		a +
			104: `: 104 bytes past the start of "first" at 0x10000000, which has 100, and 408 bytes before the start of "second" at 0x10000200`,
		b - 4:       `: 4 bytes before the start of "second" at 0x10000200, and 508 bytes past the start of "first" at 0x10000000, which has 100`,
		b + 1000000: `1000000 bytes past the start of "second"`,
		a + 90:      `90 bytes past the start of "first"`,
	} {
		if got := m.Near(addr); !strings.Contains(got, want) {
			t.Errorf("%#x is near%s, want %s", addr, got, want)
		}
	}
}

func testModule() *ir.Module {
	return &ir.Module{File: "m.ptx", Vars: []ir.Var{
		{Name: "g", Space: ir.Global, Size: 8, Align: 4, Address: ir.GlobalBase, Init: []byte{1, 2, 3}},
		{Name: "c", Space: ir.Const, Size: 4, Align: 4, Address: 16, Init: []byte{9}},
		{Name: "h", Space: ir.Global, Size: 4, Align: 4, Address: ir.GlobalBase + 1024},
	}}
}

func TestAFurtherModuleLiesBehindTheVariablesOfTheOneBefore(t *testing.T) {
	var m Memory
	u := testModule()
	end := End(u, ir.GlobalBase)
	if want := uint64(ir.GlobalBase + 1024 + 512); end != want { // 4 bytes and the gap behind them, aligned
		t.Fatalf("the end is %#x, want %#x", end, want)
	}
	if e := End(&ir.Module{}, end); e != end {
		t.Errorf("the end behind a module without variables is %#x, want %#x", e, end)
	}
	v := &ir.Module{Vars: []ir.Var{{Name: "i", Space: ir.Global, Size: 4, Align: 4, Address: end}}}
	for _, u := range []*ir.Module{u, v} {
		if err := m.LoadModule(u); err != nil {
			t.Fatal(err)
		}
	}
	if len(m.Regions()) != 3 {
		t.Errorf("%d regions, want 3", len(m.Regions()))
	}
}

func TestModuleVariablesAreMappedOnceAndInitialised(t *testing.T) {
	var m Memory
	u := testModule()
	if err := m.LoadModule(u); err != nil {
		t.Fatal(err)
	}
	g, err := m.Symbol(u, "g")
	if err != nil {
		t.Fatal(err)
	}
	if string(g) != "\x01\x02\x03\x00\x00\x00\x00\x00" {
		t.Errorf("g is %v", g)
	}
	g[0] = 7
	if err := m.LoadModule(u); err != nil {
		t.Fatal(err)
	}
	if b, _ := m.Bytes(ir.GlobalBase, 1); b[0] != 7 {
		t.Error("loading a module again initialised it again")
	}
	if a := m.Alloc("buffer", 4); a < ir.GlobalBase+1028 {
		t.Errorf("a buffer is at %#x, among the variables", a)
	}
	bank := m.ConstBank(u)
	if len(bank) != 20 || bank[16] != 9 {
		t.Errorf("the constant bank is %v", bank)
	}
	if c, _ := m.Symbol(u, "c"); &c[0] != &bank[16] {
		t.Error("a constant symbol is not the bank's own memory")
	}
	if _, err := m.Symbol(u, "x"); err == nil || !strings.Contains(err.Error(), `m.ptx has no variable "x"`) {
		t.Errorf("error %v", err)
	}
}

func TestVariablesWhoseAddressesAreTakenAreRefused(t *testing.T) {
	var m Memory
	m.Alloc("early", 4)
	err := m.LoadModule(testModule())
	if err == nil || !strings.Contains(err.Error(),
		"variable g: address 0x10000000 is taken already: load the module before allocating buffers") {
		t.Errorf("error %v", err)
	}
}
