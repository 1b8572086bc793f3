package mem

import (
	"testing"

	"kumiko/kernel/ir"
)

const testBase = 1 << 36

func backed(t *testing.T, size int) (*Memory, []byte) {
	t.Helper()
	m, data := &Memory{}, make([]byte, size)
	if err := m.Back(testBase, data); err != nil {
		t.Fatal(err)
	}
	return m, data
}

func TestABackedMemorySharesItsBytes(t *testing.T) {
	m, data := backed(t, 1<<16)
	a, ok := m.Fit("a", 8)
	if !ok || a != testBase {
		t.Fatalf("the first region is at %#x, want %#x", a, testBase)
	}
	data[3] = 7
	if b, err := m.Bytes(a, 8); err != nil || b[3] != 7 {
		t.Errorf("the region has %v, %v, want the byte written into its backing", b, err)
	}
}

func TestAFreedGapIsTakenAgainAndIsZero(t *testing.T) {
	m, _ := backed(t, 1<<16)
	a, _ := m.Fit("a", 1000)
	b, _ := m.Fit("b", 1000)
	m.Find(a, 1).Data[0] = 9
	if !m.Free(a) || m.Free(a) || m.Free(b+1) {
		t.Error("a region is freed once, by the address of its start")
	}
	if m.Find(a, 1) != nil {
		t.Error("a freed region is still mapped")
	}
	big, _ := m.Fit("big", 2000)
	if big < b {
		t.Errorf("2000 bytes are at %#x, in a gap of 1000", big)
	}
	c, _ := m.Fit("c", 500)
	if c != a || m.Find(c, 1).Data[0] != 0 {
		t.Errorf("the gap at %#x is taken at %#x, with %d in it", a, c, m.Find(c, 1).Data[0])
	}
	m.Find(big, 1).Data[0] = 9
	m.Free(big)
	if d, _ := m.Fit("d", 3000); d != big || m.Find(d, 1).Data[0] != 0 {
		t.Errorf("the end at %#x is taken at %#x, with %d in it", big, d, m.Find(d, 1).Data[0])
	}
}

func TestAFullBackingRefuses(t *testing.T) {
	m, _ := backed(t, 1<<14)
	if _, ok := m.Fit("a", 1<<14); ok {
		t.Error("found room for as many bytes as there are, which leaves none for cooperative launches")
	}
	if _, ok := m.Fit("a", -1); ok {
		t.Error("found room for a negative size")
	}
	if _, ok := m.Fit("a", 8000); !ok {
		t.Error("found no room for 8000 of 16384 bytes")
	}
	if _, ok := m.Fit("b", 8000); ok {
		t.Error("found room twice for 8000 of 16384 bytes")
	}
	if m.GridWorkspace() == 0 {
		t.Error("no workspace")
	}
	if err := m.Place("v", testBase+1<<20, 4); err == nil {
		t.Error("placed a variable outside")
	}
}

func TestVariablesOfAModuleAreInTheBacking(t *testing.T) {
	m, data := backed(t, 1<<16)
	u := &ir.Module{Vars: []ir.Var{{Name: "v", Space: ir.Global, Size: 4, Address: testBase + 256, Init: []byte{5}}}}
	if err := m.LoadModule(u); err != nil || data[256] != 5 {
		t.Errorf("the variable is %d in the backing, error %v", data[256], err)
	}
}
