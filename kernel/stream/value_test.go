package stream_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// classOf is the definition of a class, number by number.
func classOf(words []uint32) (difference stream.Value, affine bool) {
	affine = true
	for l, w := range words {
		switch d := int64(int32(w - words[0])); {
		case d < -1<<15 || d >= 1<<15:
			difference = max(difference, stream.Unlike)
		case d < -1<<7 || d >= 1<<7:
			difference = max(difference, stream.Half)
		case d != 0:
			difference = max(difference, stream.Byte)
		}
		affine = affine && w == words[0]+uint32(l)*(words[min(1, len(words)-1)]-words[0])
	}
	return difference, affine
}

func TestAClassIsTheSizeOfTheDifferencesFromTheFirstLane(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 32).Draw(t, "threads")
		limit := rapid.SampledFrom([]int64{0, 1, 127, 128, 129, 32767, 32768, 32769, 1 << 31}).Draw(t, "limit")
		base, stride := rapid.Uint32().Draw(t, "base"), uint32(0)
		if rapid.Bool().Draw(t, "affine") {
			stride = uint32(rapid.Int64Range(-limit, limit).Draw(t, "stride"))
		}
		var words [32]uint32
		for l := range words {
			words[l] = base + uint32(l)*stride
			if stride == 0 || l >= n {
				words[l] += uint32(rapid.Int64Range(-limit, limit).Draw(t, "difference"))
			}
		}
		difference, affine := classOf(words[:n])
		if got := stream.Classify(&words, n); got.Difference() != difference || got.Affine() != affine {
			t.Fatalf("%v has the class %d, %t; want %d, %t", words[:n], got.Difference(), got.Affine(), difference,
				affine)
		}
	})
}

func TestACursorOfValuesHasTheClassesOfEachInstructionAndSkipsThoseOfJumps(t *testing.T) {
	k := &ir.Kernel{Insts: make([]ir.Inst, 4)}
	k.Insts[0].T.NDst = 1
	k.Insts[1].T.NDst, k.Insts[1].T.Guarded = 2, true
	k.Insts[3].T.NDst = 1
	c := &stream.CTA{Kernel: k, Warps: make([]stream.Warp, 2), Values: [][]stream.Value{nil,
		{stream.Byte, stream.Equal, stream.Half, stream.Unlike, stream.Equal, stream.Byte, stream.Half,
			stream.Unlike}}}
	w := &c.Warps[1]
	w.Runs = []stream.Run{{PC: 0, N: 3, Mask: 1}, {PC: 1, N: 2, Mask: 1}, {PC: 1, N: 2, Mask: 1},
		{PC: 1, N: 3, Mask: 1}}
	w.Masks = []uint32{1, 1, 1, 0}
	w.Jumps = []stream.Jump{{From: 1, To: stream.Place{Run: 2, Mask: 2, Value: 5}}}
	var got [][]stream.Value
	x := stream.ValueCursor{}
	x.Start(c, 1)
	for in, v := x.Next(); in != nil; in, v = x.Next() {
		got = append(got, v)
	}
	want := [][]stream.Value{{stream.Byte}, {stream.Equal, stream.Half}, nil, {stream.Byte, stream.Half}, nil}
	if len(got) < 5 {
		t.Fatalf("%d instructions, want at least 5", len(got))
	}
	if d := cmp.Diff(want, got[:5]); d != "" {
		t.Errorf("classes (-want +got):\n%s", d)
	}
}
