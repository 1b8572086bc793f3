package emu

import "math/bits"

// row is one 32-bit warp register: a value per lane.
type row [32]uint32

// The maps below apply a scalar function to every lane. They are small enough for the compiler to inline, together
// with a function literal passed to them: an operation written as map2(..., func(x, y uint32) uint32 { return x + y
// }) compiles to one tight loop without calls.
//
// They compute all 32 lanes, including inactive ones: an operation with a partial mask runs into a scratch row
// first and blend merges it.

func map1(d, a *row, f func(x uint32) uint32) {
	for i := range d {
		d[i] = f(a[i])
	}
}

func map2(d, a, b *row, f func(x, y uint32) uint32) {
	for i := range d {
		d[i] = f(a[i], b[i])
	}
}

func map3(d, a, b, c *row, f func(x, y, z uint32) uint32) {
	for i := range d {
		d[i] = f(a[i], b[i], c[i])
	}
}

// wide1 to wide3 are the same over 64-bit values in two rows each, low word
// first. A lane's sources are read before its destination is written, so the
// rows may overlap in any way.

func wide1(d *[4]row, a *[2]row, f func(x uint64) uint64) {
	for i := range d[0] {
		v := f(uint64(a[0][i]) | uint64(a[1][i])<<32)
		d[0][i], d[1][i] = uint32(v), uint32(v>>32)
	}
}

func wide2(d *[4]row, a, b *[2]row, f func(x, y uint64) uint64) {
	for i := range d[0] {
		v := f(uint64(a[0][i])|uint64(a[1][i])<<32, uint64(b[0][i])|uint64(b[1][i])<<32)
		d[0][i], d[1][i] = uint32(v), uint32(v>>32)
	}
}

func wide3(d *[4]row, a, b, c *[2]row, f func(x, y, z uint64) uint64) {
	for i := range d[0] {
		v := f(uint64(a[0][i])|uint64(a[1][i])<<32, uint64(b[0][i])|uint64(b[1][i])<<32,
			uint64(c[0][i])|uint64(c[1][i])<<32)
		d[0][i], d[1][i] = uint32(v), uint32(v>>32)
	}
}

// test2 returns the lanes for which a comparison is true.
func test2(a, b *row, f func(x, y uint32) bool) (m uint32) {
	for i := range a {
		bit := uint32(0)
		if f(a[i], b[i]) {
			bit = 1
		}
		m |= bit << (i & 31)
	}
	return m
}

// blend copies the lanes of m from s to d.
func blend(d, s *row, m uint32) {
	if m == ^uint32(0) {
		*d = *s
		return
	}
	if bits.OnesCount32(m) < 10 {
		for ; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m) & 31
			d[l] = s[l]
		}
		return
	}
	for i := range d {
		keep := uint32(int32(m<<(31-i&31)) >> 31)
		d[i] = d[i]&^keep | s[i]&keep
	}
}

// fill sets every lane to v.
func (r *row) fill(v uint32) {
	for i := range r {
		r[i] = v
	}
}

// lane64 returns the 64-bit value of lane l in two rows.
func lane64(r *[2]row, l int) uint64 { return uint64(r[0][l]) | uint64(r[1][l])<<32 }
