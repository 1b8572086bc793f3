package compressed

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/bank"
	"kumiko/kernel/stream"
)

// pack stores the words of a warp as the first one and differences of the form's size, or whole.
func pack(words *[32]uint32, f form) []byte {
	word := func(v uint32, n int) (out []byte) {
		for i := range n {
			out = append(out, byte(v>>(8*i)))
		}
		return out
	}
	if f == full {
		var out []byte
		for _, w := range words {
			out = append(out, word(w, 4)...)
		}
		return out
	}
	size := map[form]int{equal: 0, byByte: 1, byHalf: 2}[f]
	out := word(words[0], 4)
	for _, w := range words[1:] {
		out = append(out, word(w-words[0], size)...)
	}
	return out
}

// unpack is the inverse of pack.
func unpack(in []byte, f form) (out [32]uint32) {
	word := func(at, n int) (v uint32) {
		for i := range n {
			v |= uint32(in[at+i]) << (8 * i)
		}
		if n > 0 && n < 4 && v>>(8*n-1) != 0 { // a negative difference
			v |= ^uint32(0) << (8 * n)
		}
		return v
	}
	for l := range out {
		switch size := map[form]int{equal: 0, byByte: 1, byHalf: 2}[f]; {
		case f == full:
			out[l] = word(4*l, 4)
		case l == 0:
			out[l] = word(0, 4)
		default:
			out[l] = word(0, 4) + word(4+size*(l-1), size)
		}
	}
	return out
}

func TestARegisterComesBackFromItsFormAndFitsTheBanksOfTheForm(t *testing.T) {
	seen := map[form]bool{}
	check := func(t *rapid.T, limit int64) {
		base := rapid.Uint32().Draw(t, "base")
		var words [32]uint32
		for l := range words {
			words[l] = base + uint32(rapid.Int64Range(-limit, limit).Draw(t, "difference"))
		}
		f := formOf(stream.Classify(&words, 32), all, 2)
		seen[f] = true
		in := pack(&words, f)
		if n := (len(in) + 15) / 16; n != f.banks() {
			t.Fatalf("%d bytes in form %s take %d banks, want %d", len(in), f, f.banks(), n)
		}
		if got := unpack(in, f); got != words {
			t.Fatalf("%v came back from form %s as %v", words, f, got)
		}
		for g := range numForms {
			if g.banks() < f.banks() && unpack(pack(&words, g), g) == words {
				t.Fatalf("%v has form %s, and %s would do", words, f, g)
			}
		}
	}
	for _, limit := range []int64{0, 1, 127, 128, 129, 32767, 32768, 32769, 1 << 31} {
		rapid.Check(t, func(t *rapid.T) { check(t, limit) })
	}
	if len(seen) != int(numForms) {
		t.Errorf("only the forms %v were drawn", seen)
	}
}

func TestAFormSwitchesItsFirstBanksOn(t *testing.T) {
	for f, want := range map[form]int{full: 8, equal: 1, byByte: 3, byHalf: 5} {
		if n := bank.LaneGroups(f.lanes()); f.banks() != want || n != uint64(want) {
			t.Errorf("%s: %d banks, and %d of them on; want %d", f, f.banks(), n, want)
		}
	}
}

func TestDifferencesLargerThanPermittedAreNotCompressed(t *testing.T) {
	for delta, want := range [][]form{{equal, full, full, full}, {equal, byByte, full, full},
		{equal, byByte, byHalf, full}} {
		for v, f := range want {
			if got := formOf(stream.Value(v), all, delta); got != f {
				t.Errorf("differences of %d bytes: class %d has form %s, want %s", delta, v, got, f)
			}
		}
	}
}

func TestAResultOfSomeLanesIsNotCompressed(t *testing.T) {
	if f := formOf(stream.Equal, all>>1, 2); f != full {
		t.Errorf("form %s, want full", f)
	}
}
