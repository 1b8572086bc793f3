package texture

import "math"

// linear is the guide's linear filtering: with xB = x - 0.5, i = floor(xB) and a = frac(xB), and likewise in the
// other dimensions,
//
//	tex(x) = (1-a) T[i] + a T[i+1]
//	tex(x,y) = (1-a)(1-b) T[i,j] + a(1-b) T[i+1,j] + (1-a)b T[i,j+1] + ab T[i+1,j+1]
//
// and so on. The fractions are kept in 9-bit fixed point with 8 bits of fraction, so that 1.0 is represented
// exactly. The guide does not define their rounding: to nearest here. The weights are then exact in double
// precision, and so are their products with single-precision texels up to two dimensions. The sum, in double
// precision, is rounded to single once.
func (t *Texture) linear(data []byte, x [3]float64, dims, layer int) Texel {
	var first [3]float64
	var frac [3]float64
	for i := range dims {
		xb := x[i] - 0.5
		first[i] = math.Floor(xb)
		frac[i] = math.Floor((xb-first[i])*256+0.5) / 256
	}
	var sum [4]float64
	out := Texel{}
	for corner := range 1 << dims {
		weight := 1.0
		inside := true
		var at [3]int
		for i := range dims {
			k := float64(corner >> i & 1)
			n, ok := t.index(i, first[i]+k)
			at[i], inside = n, inside && ok
			weight *= 1 - frac[i] + k*(2*frac[i]-1)
		}
		off := t.offset(at, layer)
		if corner == 0 {
			out.Offset = off
		}
		if !inside {
			continue
		}
		for c := range t.Channels {
			sum[c] += weight * t.value(data, off, c)
		}
	}
	t.absent(&out)
	for c := range t.Channels {
		out.Bits[c] = math.Float32bits(float32(sum[c]))
	}
	return out
}

// cubeFace projects a direction onto a cube: the face, 0 to 5 for +x, -x, +y, -y, +z, -z, and the coordinates
// (s/m+1)/2 and (t/m+1)/2 on it, from 0 to 1 (the guide's table of cubemap fetches). Among components of equal
// magnitude x comes first, then y.
func cubeFace(d [3]float32) (face int, s, t float64) {
	x, y, z := float64(d[0]), float64(d[1]), float64(d[2])
	ax, ay, az := math.Abs(x), math.Abs(y), math.Abs(z)
	var m float64
	switch {
	case ax >= ay && ax >= az && x >= 0:
		face, m, s, t = 0, x, -z, -y
	case ax >= ay && ax >= az:
		face, m, s, t = 1, -x, z, -y
	case ay >= az && y >= 0:
		face, m, s, t = 2, y, x, z
	case ay >= az:
		face, m, s, t = 3, -y, x, -z
	case z >= 0:
		face, m, s, t = 4, z, x, -y
	default:
		face, m, s, t = 5, -z, -x, -y
	}
	if !(m > 0) || math.IsInf(m, 0) { // no direction
		return face, 0.5, 0.5
	}
	return face, (s/m + 1) / 2, (t/m + 1) / 2
}
