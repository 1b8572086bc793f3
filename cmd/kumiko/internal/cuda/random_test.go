package cuda

import (
	"encoding/binary"
	"io/fs"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"kumiko/kernel/host"
)

// state is that of xorwow without its counter, a vector of 160 bits.
type state [5]uint32

// step is a step of xorwow (Marsaglia, "Xorshift RNGs", 2003, page 5).
func (v state) step() state {
	t := v[0] ^ v[0]>>2
	return state{v[1], v[2], v[3], v[4], v[4] ^ v[4]<<4 ^ t ^ t<<1}
}

// matrix has the image of each of the 160 unit vectors.
type matrix [160]state

func (m *matrix) times(v state) (out state) {
	for i, word := range v {
		for ; word != 0; word &= word - 1 {
			for j, b := range m[32*i+bits.TrailingZeros32(word)] {
				out[j] ^= b
			}
		}
	}
	return out
}

func TestTheTableOfSkipsHasPowersOfTheStep(t *testing.T) {
	text, err := fs.ReadFile(headers, "include/kumiko/xorwow.h")
	if err != nil {
		t.Fatal(err)
	}
	words := regexp.MustCompile(`0x[0-9a-f]{8}`).FindAll(text, -1)
	if len(words) != 124*5 {
		t.Fatalf("the table has %d words, want 124 elements of 5", len(words))
	}
	var power matrix
	for i := range power {
		var unit state
		unit[i/32] = 1 << (i % 32)
		power[i] = unit.step()
	}
	start := state{123456789, 362436069, 521288629, 88675123, 5783321} // Marsaglia's
	for k := range 131 {
		if k >= 7 {
			var got state
			for i := 159; i >= 0; i-- {
				got = got.step()
				word, err := strconv.ParseUint(string(words[5*(k-7)+i/32]), 0, 32)
				if err != nil {
					t.Fatal(err)
				}
				for j := range got {
					got[j] ^= start[j] * uint32(word>>(i%32)&1)
				}
			}
			if want := power.times(start); got != want {
				t.Errorf("2^%d numbers skipped: %x, want %x", k, got, want)
			}
		}
		var next matrix
		for i := range power {
			next[i] = power.times(power[i])
		}
		power = next
	}
}

// philoxAnswers are the lines "philox4x32 10" of tests/kat_vectors in Random123 1.14.0: counter, key, and numbers.
var philoxAnswers = [][10]uint32{
	{0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
	{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff,
		0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
	{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0,
		0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1},
}

func TestPhiloxGivesItsKnownAnswers(t *testing.T) {
	k := load(t, `#include <curand_kernel.h>
extern "C" __global__ void answer(uint4 c, uint2 key, uint4 *out) { *out = __k_philox(c, key); }
`, &Options{})
	out := k.Alloc("out", 16)
	for _, want := range philoxAnswers {
		var in []byte
		for _, v := range want[:6] {
			in = binary.LittleEndian.AppendUint32(in, v)
		}
		k.launch("answer", 1, host.Arg{Bytes: in[:16], Align: 16}, host.Arg{Bytes: in[16:], Align: 8}, host.U64(out))
		got := host.Read[uint32](&k.Device, out, 4)
		if !slices.Equal(got, want[6:]) {
			t.Errorf("counter and key %x: %x, want %x", want[:6], got, want[6:])
		}
	}
}
