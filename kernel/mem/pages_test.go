package mem

import (
	"fmt"
	"testing"
)

func TestPagesAreTakenOnceInRunsByAddress(t *testing.T) {
	var m Memory
	if err := m.Back(1<<36, make([]byte, 600*PageBytes)); err != nil {
		t.Fatal(err)
	}
	if m.Noted() != nil {
		t.Error("pages are noted before Note")
	}
	m.Note()
	p := m.Noted()
	at := func(page int) uint64 { return 1<<36 + uint64(page)*PageBytes }
	p.Add(at(500), at(501)-1)
	p.Add(at(64)-1, at(64)+1) // in two words
	p.Add(at(66), at(66)+1)
	p.Add(at(65)+5, at(65)+6)
	p.Add(at(0), at(1))
	p.Add(at(599), at(600))
	take := func() (text string) {
		p.Take(func(lo, hi uint64) { text += fmt.Sprint(" ", (lo-1<<36)/PageBytes, "-", (hi-1<<36)/PageBytes) })
		return text
	}
	if found, want := take(), " 0-1 63-67 500-501 599-600"; found != want {
		t.Errorf("found the pages%s, want%s", found, want)
	}
	if found := take(); found != "" {
		t.Errorf("found the pages%s again", found)
	}
}

func TestWithinListsRegionsWithAPartInARange(t *testing.T) {
	var m Memory
	if err := m.Back(1<<36, make([]byte, 1<<16)); err != nil {
		t.Fatal(err)
	}
	a, b := m.Alloc("a", 256), m.Alloc("b", 256)
	for _, c := range []struct {
		lo, hi uint64
		want   string
	}{{a, a + 1, "a"}, {a + 255, b, "a"}, {a + 256, b, ""}, {a + 256, b + 1, "b"}, {a - 9, b + 900, "ab"}} {
		found := ""
		for _, r := range m.Within(c.lo, c.hi) {
			found += r.Name
		}
		if found != c.want {
			t.Errorf("[%#x, %#x): found %q, want %q", c.lo, c.hi, found, c.want)
		}
	}
}
