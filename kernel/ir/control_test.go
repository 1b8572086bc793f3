package ir

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// The words are from data of Huerta et al.'s traces and cuobjdump (Volta and later) and from
// maxas' wiki (Maxwell).
func TestControlWordsOfRealInstructionsDecode(t *testing.T) {
	volta := func(high uint64) uint32 { return uint32(high >> 41 & 0x1fffff) }
	maxwell := func(word uint64, i int) uint32 { return uint32(word >> (21 * i) & 0x1fffff) }
	word := func(stall uint8, yield bool, write, wait, reuse uint8) Control {
		return Control{Set: true, Stall: stall, Yield: yield, Write: write, Read: NoCounter, Wait: wait, Reuse: reuse}
	}
	for _, c := range []struct {
		name string
		bits uint32
		want Control
		text string
	}{
		{"waits for SB1", volta(0x002fca000f8e0200), word(5, true, 7, 2, 0), "[B-1----:R-:W-:Y:S05]"},
		{"raises SB0", volta(0x000e220000000800), word(1, false, 0, 0, 0), "[B------:R-:W0:-:S01]"},
		{"reuses a", volta(0x040fe2000bf26070), word(1, false, 7, 0, 1), "[B------:R-:W-:-:S01]"},
		{"waits for SB2", volta(0x004fe2000fffe1ff), word(1, false, 7, 4, 0), "[B--2---:R-:W-:-:S01]"},
		{"Maxwell's first", maxwell(0x001f9400fe2007e6, 0), word(6, true, 7, 0, 0), "[B------:R-:W-:Y:S06]"},
		{"Maxwell's second", maxwell(0x001f9400fe2007e6, 1), word(1, false, 7, 0, 0), "[B------:R-:W-:-:S01]"},
		{"Maxwell's third", maxwell(0x001f9400fe2007e6, 2), word(5, true, 7, 0, 0), "[B------:R-:W-:Y:S05]"},
	} {
		got := ControlOf(c.bits)
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
		if s := got.String(); s != c.text {
			t.Errorf("%s: %s, expected %s", c.name, s, c.text)
		}
	}
}

func TestEveryControlFieldIsWhatItDecodesTo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.Uint32Max(1<<21-1).Draw(t, "bits")
		if got := ControlOf(bits).Bits(); got != bits {
			t.Errorf("%#x encodes as %#x", bits, got)
		}
	})
}
