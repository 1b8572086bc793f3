package acceptance

import (
	"math"
	"math/bits"
	"math/rand"
)

func collatz(k *kit) {
	start := ints[uint32](500, 1, 100000, 3)
	steps, peak := make([]uint32, 525), make([]uint64, 525)
	for i, v := range start {
		x, s := uint64(v), uint32(0)
		top := x
		for x > 1 && s <= 150 {
			if x&1 == 0 {
				z := bits.TrailingZeros64(x)
				x >>= z
				s += uint32(z)
				if x > 1 && s > 150 {
					// The kernel checks its limit only after odd steps.
					s++
					break
				}
				continue
			}
			x = 3*x + 1
			top = max(top, x)
			s++
		}
		if x > 1 {
			steps[i] = math.MaxUint32
			continue
		}
		steps[i], peak[i] = s, top
	}
	k.file("steps.bin", steps)
	k.file("peak.bin", peak)
}

func atomics(k *kit) {
	var hist [16]uint32
	word := [9]uint32{math.MaxInt32, 0, math.MaxUint32, 0, 0, 0, 7, 0, 4711}
	var long [3]uint64
	float := [3]float32{1024, 1024, 1024}
	for _, v := range ints[uint32](6001, 0, 1000000, 11) {
		hist[v&15]++
		word[0] = min(word[0], v)
		word[1] = max(word[1], v*2654435761)
		word[2] &= v | 0xffff0000
		word[3] |= 1 << (v & 31)
		word[4] ^= v
		word[5] = (word[5] + 1) % 100
		word[6] = (word[6] + 99) % 100
		word[7] = max(word[7], v>>8)
		long[0] += uint64(v)<<20 - 5
		long[1] = max(long[1], uint64(v)*uint64(v))
		long[2] ^= uint64(v) << 13
		float[0] += float32(v & 3)
		if v&1023 == 7 {
			float[1] /= 2
		}
		float[2] += float32(v & 7)
	}
	k.file("hist.bin", hist)
	k.file("ints.bin", word)
	k.file("longs.bin", long)
	k.file("floats.bin", float)
}

func powmod(b, e, m uint64) uint64 {
	r := uint64(1)
	for b %= m; e > 0; e >>= 1 {
		if e&1 != 0 {
			r = r * b % m
		}
		b = b * b % m
	}
	return r
}

func which(b bool, v uint64) uint64 {
	if b {
		return v
	}
	return 0
}

func wide(k *kit) {
	const n = 111
	rng := rand.New(rand.NewSource(1))
	a, b := make([]uint64, n), make([]uint64, n)
	for i := range n {
		a[i], b[i] = rng.Uint64()>>rng.Intn(64), rng.Uint64()>>rng.Intn(63)|1
		if i%3 == 0 {
			a[i] = -a[i]
		}
		if i%5 == 0 {
			b[i] = -b[i]
		}
	}
	copy(a, []uint64{0, 1, math.MaxUint64, 1 << 63, 1 << 63, 1<<32 - 1, 1 << 32, 7})
	copy(b, []uint64{9, 1, math.MaxUint64, 3, 1 << 63, 1 << 32, 1<<32 - 1, 7})
	k.file("a.bin", a)
	k.file("b.bin", b)
	var out [12][n]uint64
	for i, x := range a {
		y := b[i]
		sx, sy := int64(x), int64(y)
		hi, _ := bits.Mul64(x, y)
		// Signed from unsigned high product: Hacker's Delight, section 8-3.
		signed := hi - which(sx < 0, y) - which(sy < 0, x)
		for j, v := range []uint64{
			x / y, x % y, uint64(sx / sy), uint64(sx % sy),
			x/1000000007 + uint64(sx/-12345678901),
			hi, signed,
			x<<(y&63) ^ x>>(y>>6&63) ^ uint64(sx>>(y>>12&63)),
			which(sx < sy, 1) | which(x < y, 2) | which(sx == sy, 4) | which(x == math.MaxUint64, 8),
			powmod(x&0xffffffff, y&0xffff, 4294967291),
			uint64(bits.OnesCount64(x) + 100*bits.LeadingZeros64(y|1) + 10000*bits.TrailingZeros64(x|1<<63)),
			uint64(uint32(x)/(uint32(y)|1))<<32 | uint64(uint32(int32(x)%(int32(y)|1))),
		} {
			out[j][i] = v
		}
	}
	k.file("out.bin", out)
}

func pixels(k *kit) {
	const n = 333
	in, delta := ints[uint8](4*n, 0, 255, 31), ints[int8](n, -128, 127, 32)
	out, energy, wrap := make([]uint8, 4*n), make([]int16, n), make([]uint16, n)
	for i := range n {
		p, d := in[4*i:4*i+4], int(delta[i])
		r, g, b, a := int(p[0]), int(p[1]), p[2], p[3]
		energy[i] = int16(2*r - g*d)
		wrap[i] = uint16(b)<<9 + uint16(energy[i])*uint16(energy[i])
		copy(out[4*i:], []uint8{uint8(min(max(r+d, 0), 255)), uint8(min(max(g-2*d, 0), 255)), b*3 + a>>1,
			uint8(int8(a) / 3)})
	}
	k.file("out.bin", out)
	k.file("energy.bin", energy)
	k.file("wrap.bin", wrap)
}

// field is bit field extraction, PTX ISA section 9.7.1.18.
func field(x, pos, n uint32, signed bool) (d uint32) {
	sign := uint32(0)
	if signed && n > 0 {
		sign = x >> min(pos+n-1, 31) & 1
	}
	for i := range uint32(32) {
		bit := sign
		if i < n && pos+i < 32 {
			bit = x >> (pos + i) & 1
		}
		d |= bit << i
	}
	return d
}

// permute picks bytes, PTX ISA section 9.7.9.7.
func permute(x, y, selector uint32) (d uint32) {
	both := uint64(y)<<32 | uint64(x)
	for i := range 4 {
		s := selector >> (4 * i)
		b := uint32(both>>(8*(s&7))) & 0xff
		if s&8 != 0 {
			b = b >> 7 * 0xff
		}
		d |= b << (8 * i)
	}
	return d
}

func bitOperations(k *kit) {
	const n = 256
	rng := rand.New(rand.NewSource(2))
	a, b := make([]uint32, n), make([]uint32, n)
	for i := range n {
		a[i], b[i] = rng.Uint32()>>rng.Intn(32), rng.Uint32()
	}
	a[0], a[1], b[2], b[3] = 0, math.MaxUint32, 0, math.MaxUint32
	k.file("a.bin", a)
	k.file("b.bin", b)
	var out [8][n]uint32
	for i, x := range a {
		y := b[i]
		pos, size := y&31, y>>5&31
		mask := (uint32(1)<<(y>>5&15) - 1) << pos
		both := uint64(y)<<32 | uint64(x)
		z := x >> 7
		for j, v := range []uint32{
			uint32(bits.OnesCount32(x) | bits.LeadingZeros32(x|1)<<8 | bits.TrailingZeros32(y|1<<31)<<16),
			bits.Reverse32(x) ^ bits.ReverseBytes32(y),
			permute(x, y, y>>16),
			field(x, pos, size, false) + 3*field(x, pos, size, true),
			y&^mask | x<<pos&mask,
			uint32(both<<(y&31)>>32) ^ uint32(both>>min(y&63, 32))<<1,
			x&y | x&z | y&z, // the majority, truth table 0xe8
			bits.RotateLeft32(x, int(y&31)) + uint32(uint64(x)*uint64(y)>>32),
		} {
			out[j][i] = v
		}
	}
	k.file("out.bin", out)
}
