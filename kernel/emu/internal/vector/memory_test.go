package vector

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// trials calls a test with a source of numbers and a mask of lanes, sometimes full and never empty.
func trials(t *testing.T, f func(r *rand.Rand, mask uint32)) {
	t.Helper()
	if !Available {
		t.Skip("this machine has no vector instructions that are used")
	}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 2000 {
		mask := r.Uint32()
		switch i % 4 {
		case 0:
			mask = ^uint32(0)
		case 1:
			mask &= r.Uint32() & r.Uint32()
		}
		f(r, mask|1<<r.IntN(32))
	}
}

func lanesOf(mask uint32) []int {
	var ls []int
	for ; mask != 0; mask &= mask - 1 {
		ls = append(ls, bits.TrailingZeros32(mask))
	}
	return ls
}

// equidistant returns a row with lanes step apart.
func equidistant(first, step uint32) (row Row) {
	for i := range row {
		row[i] = first + step*uint32(i)
	}
	return row
}

func TestLanesAreSpacedWhereNoneIsElsewhere(t *testing.T) {
	trials(t, func(r *rand.Rand, _ uint32) {
		step := r.Uint32() >> r.IntN(32)
		low, high := equidistant(r.Uint32(), step), equidistant(r.Uint32(), 0)
		if !Spaced(&low, &high, step) || !Spaced(&low, nil, step) {
			t.Fatalf("step %d: not spaced", step)
		}
		lane, bit := r.IntN(32), uint32(1)<<r.IntN(32)
		high[lane] ^= bit
		if Spaced(&low, &high, step) || !Spaced(&low, nil, step) {
			t.Fatalf("step %d: lane %d has another high word", step, lane)
		}
		high[lane] ^= bit
		low[lane] ^= bit
		if Spaced(&low, &high, step) || Spaced(&low, nil, step) {
			t.Fatalf("step %d: lane %d is elsewhere", step, lane)
		}
	})
}

func TestAddressesAreSumsOf64OrOf32Bits(t *testing.T) {
	trials(t, func(r *rand.Rand, _ uint32) {
		var low, high Row
		for i := range low {
			low[i], high[i] = r.Uint32(), r.Uint32()
		}
		offset := r.Uint64()
		var long, short [32]uint64
		Addresses(&long, &low, &high, offset)
		Addresses(&short, &low, nil, offset)
		for i := range low {
			if want := uint64(high[i])<<32 + uint64(low[i]) + offset; long[i] != want {
				t.Fatalf("lane %d: %#x, want %#x", i, long[i], want)
			}
			if want := uint64(low[i] + uint32(offset)); short[i] != want {
				t.Fatalf("lane %d of 32 bits: %#x, want %#x", i, short[i], want)
			}
		}
	})
}

func TestAddressesAreRegularWhereNoLaneOfTheMaskIsElsewhere(t *testing.T) {
	trials(t, func(r *rand.Rand, mask uint32) {
		base, stride := r.Uint64(), r.Uint64()>>r.IntN(64)
		var addr [32]uint64
		for i := range addr {
			addr[i] = base + stride*uint64(i)
		}
		lane := r.IntN(32)
		addr[lane] ^= 1 << r.IntN(64)
		if got, want := Regular(&addr, base, stride, mask), mask>>lane&1 == 0; got != want {
			t.Fatalf("lane %d of %#x is elsewhere: %t, want %t", lane, mask, got, want)
		}
	})
}

func TestBoundsAreOfTheLanesOfTheMask(t *testing.T) {
	trials(t, func(r *rand.Rand, mask uint32) {
		var addr [32]uint64
		for i := range addr {
			addr[i] = r.Uint64() >> r.IntN(64)
		}
		wantLo, wantHi, wantOr := ^uint64(0), uint64(0), uint64(0)
		for _, l := range lanesOf(mask) {
			wantLo, wantHi, wantOr = min(wantLo, addr[l]), max(wantHi, addr[l]), wantOr|addr[l]
		}
		if lo, hi, or := Bounds(&addr, mask); lo != wantLo || hi != wantHi || or != wantOr {
			t.Fatalf("mask %#x: %#x %#x %#x, want %#x %#x %#x", mask, lo, hi, or, wantLo, wantHi, wantOr)
		}
	})
}

func TestAListHasTheAddressesOfTheMaskAndNothingBehindThem(t *testing.T) {
	trials(t, func(r *rand.Rand, mask uint32) {
		var addr [32]uint64
		for i := range addr {
			addr[i] = r.Uint64()
		}
		var want [33]uint64
		got := [33]uint64{32: 7}
		for i, l := range lanesOf(mask) {
			want[i] = addr[l]
		}
		want[32] = 7
		Compress(&got[0], &addr, mask)
		if got != want {
			t.Fatalf("mask %#x: %#x, want %#x", mask, got, want)
		}
	})
}

// memory is bytes at random.
func memory(r *rand.Rand) []byte {
	data := make([]byte, 4096)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

func TestLoadsFillTheLanesOfTheMaskAndKeepTheOthers(t *testing.T) {
	trials(t, func(r *rand.Rand, mask uint32) {
		data := memory(r)
		base, stride := uint64(1024+r.IntN(1024)), int64([]int{0, 4, 8, -4, 1, r.IntN(64) - 32}[r.IntN(6)])
		var old Row
		for i := range old {
			old[i] = r.Uint32()
		}
		var addr [32]uint64
		want := old
		for _, l := range lanesOf(mask) {
			addr[l] = base + uint64(stride*int64(l))
			want[l] = binary.LittleEndian.Uint32(data[addr[l]:])
			addr[l] -= 100
		}
		got := old
		Load(&got, &data[0], base, uint64(stride), mask)
		if got != want {
			t.Fatalf("mask %#x, stride %d: %#x, want %#x", mask, stride, got, want)
		}
		got = old
		Gather(&got, &data[0], 100, &addr, mask)
		if got != want {
			t.Fatalf("mask %#x, listed: %#x, want %#x", mask, got, want)
		}
	})
}

func TestAStoreWritesTheWordsOfTheMaskAlone(t *testing.T) {
	trials(t, func(r *rand.Rand, mask uint32) {
		data := memory(r)
		want := slices.Clone(data)
		var row Row
		base := r.IntN(1024)
		for i := range row {
			row[i] = r.Uint32()
		}
		for _, l := range lanesOf(mask) {
			binary.LittleEndian.PutUint32(want[base+4*l:], row[l])
		}
		Store(&data[0], uint64(base), &row, mask)
		if !slices.Equal(data, want) {
			t.Fatalf("mask %#x: other bytes", mask)
		}
	})
}

func TestAMaskedAccessAtTheEndsOfMemoryTouchesNothingBeyond(t *testing.T) {
	if !Available {
		t.Skip("this machine has no vector instructions that are used")
	}
	data := make([]byte, 8)
	binary.LittleEndian.PutUint64(data, 0x2222222211111111)
	var d Row
	first := ^uint64(4*30 - 1) // lane 30 at byte 0
	Load(&d, &data[0], first, 4, 3<<30)
	if d[30] != 0x11111111 || d[31] != 0x22222222 || d[29] != 0 {
		t.Errorf("loaded %#x", d[28:])
	}
	d[30], d[31] = d[31], d[30]
	Store(&data[0], first, &d, 3<<30)
	if got := binary.LittleEndian.Uint64(data); got != 0x1111111122222222 {
		t.Errorf("stored %#x", got)
	}
}
