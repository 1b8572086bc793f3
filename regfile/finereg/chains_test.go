package finereg

import (
	"testing"

	"pgregory.net/rapid"
)

// model is the expected state of chains: the entries of each CTA, the last written first, and the tags of the PCRF.
type model struct {
	x      chains
	chains [][]uint16
	tags   []Tag
}

func (m *model) put(t *rapid.T) {
	cta := rapid.IntRange(0, len(m.chains)-1).Draw(t, "cta")
	if m.x.free == 0 {
		t.Skip("full")
	}
	e, next, end := m.x.occupy(cta)
	if m.tags[e].Valid {
		t.Fatalf("entry %d is given twice", e)
	}
	m.tags[e] = Tag{Valid: true, End: end, Next: next, Warp: uint16(cta)}
	m.chains[cta] = append([]uint16{e}, m.chains[cta]...)
}

func (m *model) take(t *rapid.T) {
	cta := rapid.IntRange(0, len(m.chains)-1).Draw(t, "cta")
	if len(m.chains[cta]) == 0 {
		t.Skip("nothing there")
	}
	e := m.x.lines[cta].head
	m.x.release(cta, &Taken{Tag: m.tags[e], Entry: e})
	m.tags[e].Valid = false
	m.chains[cta] = m.chains[cta][1:]
}

// check walks every chain by its tags.
func (m *model) check(t *rapid.T) {
	owned := map[uint16]bool{}
	for cta, want := range m.chains {
		l := m.x.lines[cta]
		if l.count != len(want) {
			t.Fatalf("CTA %d has %d registers by the pointer table, want %d", cta, l.count, len(want))
		}
		at := l.head
		for i, e := range want {
			g := m.tags[at]
			if at != e || !g.Valid || g.End != (i == len(want)-1) || owned[at] || int(g.Warp) != cta {
				t.Fatalf("CTA %d: entry %d of its chain is %d with tag %+v, want entry %d, the last of them with the "+
					"end bit", cta, i, at, g, e)
			}
			owned[at] = true
			at = g.Next
		}
	}
	for e := range m.tags {
		if bit := m.x.monitor[e>>6]>>(e&63)&1 != 0; bit != owned[uint16(e)] || m.tags[e].Valid != bit {
			t.Fatalf("entry %d: monitor %v, valid %v, in a chain %v", e, bit, m.tags[e].Valid, owned[uint16(e)])
		}
	}
	if m.x.free+len(owned) != len(m.tags) {
		t.Fatalf("%d entries free and %d in chains, of %d", m.x.free, len(owned), len(m.tags))
	}
}

func TestChainsAreWellFormedAndNothingLeaks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries, ctas := rapid.SampledFrom([]int{1, 5, 64, 70}).Draw(t, "entries"), 3
		m := &model{x: newChains(ctas, entries), chains: make([][]uint16, ctas), tags: make([]Tag, entries)}
		t.Repeat(map[string]func(*rapid.T){"put": m.put, "take": m.take, "": m.check})
	})
}

// The monitor has a bit for each possible entry of the PCRF, in words of 64. A launch with five entries gets no
// sixth.
func TestALaunchHasNoMoreThanItsEntries(t *testing.T) {
	x := newChains(1, 65)
	if len(x.monitor) != 2 {
		t.Errorf("%d words of the monitor, want 2", len(x.monitor))
	}
	x.begin(5)
	for want := range uint16(5) {
		if e, _, _ := x.occupy(0); e != want {
			t.Errorf("entry %d, want %d", e, want)
		}
	}
	defer func() {
		if got, want := recover(), "finereg: no free entry"; got != want {
			t.Errorf("panic %v, want %q", got, want)
		}
	}()
	x.occupy(0)
}
