package version

import (
	"testing"

	"pgregory.net/rapid"
)

func TestAWriteThatCoversEverythingLeavesOnePiece(t *testing.T) {
	c := Content{}.Write(1, 0x0f).Write(2, 0xf0).Write(3, 0xff)
	if c.older == nil || c.Lane(7) != 3 {
		// The pieces of 1 and 2 are hidden: nothing of them may remain.
		if c != (Content{Seq: 3, Lanes: 0xff}) {
			t.Fatalf("got %+v", c)
		}
	} else {
		t.Fatalf("hidden pieces kept: %+v", c)
	}
}

func TestAWriteToNoLanesMakesNoVersion(t *testing.T) {
	c := Content{}.Write(1, 3)
	if c.Write(2, 0) != c {
		t.Fatal("an empty mask changed the content")
	}
	if (Content{}).Write(2, 0) != (Content{}) {
		t.Fatal("an empty mask made a version")
	}
}

func TestFullAndCoveringWritesDoNotAllocate(t *testing.T) {
	c := Content{}.Write(1, 0xff).Write(2, 0x0f)
	var sink Content
	n := testing.AllocsPerRun(100, func() {
		sink = c.Write(3, FullMask)
		sink = sink.Write(4, FullMask)
		sink = Content{}.Write(5, 1).Write(6, 3)
	})
	if n != 0 {
		t.Fatalf("%v allocations", n)
	}
	_ = sink
}

// model is the obvious content: a version per lane.
type model [32]uint32

func (m model) write(seq, lanes uint32) model {
	for l := range m {
		if lanes>>l&1 != 0 {
			m[l] = seq
		}
	}
	return m
}

func check(t *rapid.T, c Content, m model) {
	var mask uint32
	pieces := 0
	for p := &c; p != nil; p = p.older {
		pieces++
	}
	for l := range m {
		if got := c.Lane(l); got != m[l] {
			t.Fatalf("lane %d: version %d, want %d", l, got, m[l])
		}
		if m[l] != 0 {
			mask |= 1 << l
		}
	}
	if c.Mask() != mask {
		t.Fatalf("mask %#x, want %#x", c.Mask(), mask)
	}
	if pieces > 32 {
		t.Fatalf("%d pieces", pieces)
	}
}

func masks() *rapid.Generator[uint32] {
	return rapid.OneOf(rapid.Uint32(), rapid.Just(FullMask),
		rapid.SampledFrom([]uint32{0, 1, 3, 0xf, 0xff00ff00, 0x00ff00ff}))
}

func TestContentsAgreeWithAVersionPerLane(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c [3]Content
		var m [3]model
		for seq := uint32(1); seq < 60; seq++ {
			i := rapid.IntRange(0, 2).Draw(t, "i")
			j := rapid.IntRange(0, 2).Draw(t, "j")
			mask := masks().Draw(t, "mask")
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0:
				c[i] = c[i].Overlay(c[j])
				for l, v := range m[j] {
					if v != 0 {
						m[i][l] = v
					}
				}
			case 1:
				c[i] = c[i].Only(mask)
				for l := range m[i] {
					if mask>>l&1 == 0 {
						m[i][l] = 0
					}
				}
			default:
				c[i] = c[i].Write(seq, mask)
				m[i] = m[i].write(seq, mask)
			}
			for k := range c {
				check(t, c[k], m[k]) // the others too: pieces are shared and must not change
			}
			var differ uint32
			for l := range m[i] {
				if m[i][l] != m[j][l] {
					differ |= 1 << l
				}
			}
			if got := c[i].differ(&c[j], mask); got != differ&mask {
				t.Fatalf("differ %#x, want %#x", got, differ&mask)
			}
			if got := c[i].EqualOn(&c[j], mask); got != (differ&mask == 0) {
				t.Fatalf("equal %v on %#x, differing lanes %#x", got, mask, differ)
			}
		}
	})
}
