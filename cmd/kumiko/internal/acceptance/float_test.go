package acceptance

import (
	"math"
	"math/big"
)

func doubles(k *kit) {
	const n = 97
	var out [7][n]float64
	var whole [2][n]int64
	b := floats[float64](n, 0.001, 5, 9)
	for i, x := range floats[float64](n, -20, 20, 8) {
		y := b[i]
		newton, horner := 1.0, 1.0
		for range 8 {
			newton = 0.5 * float64(newton+float64(y/newton))
		}
		for j := 12; j > 0; j-- {
			horner = math.FMA(horner, x/float64(j), 1)
		}
		root := math.Copysign(math.Sqrt(math.Abs(x)), x)
		less := 3.0
		if root < y {
			less = 2
		}
		for j, v := range []float64{x / y, root, newton, horner, float64(float64(x*y)+x) - y,
			float64(float32(x)) + math.Trunc(y), less} {
			out[j][i] = v
		}
		whole[0][i] = int64(float64(x * 1e12))
		whole[1][i] = int64(math.Floor(float64(y*100))) + int64(math.Abs(x)) + int64(math.Ceil(x))
	}
	k.file("out.bin", out)
	k.file("whole.bin", whole)
}

func mandelbrot(k *kit) {
	const width, height = 43, 33
	out := make([]uint16, width*height)
	var x0, y0, step float32 = -2.1, -1.2, 0.07
	for i := range out {
		cx := x0 + float32(step*float32(i%width))
		cy := y0 + float32(step*float32(i/width))
		var x, y float32
		n := uint16(0)
		for ; n < 60; n++ {
			xx, yy := float32(x*x), float32(y*y)
			if xx+yy > 4 {
				break
			}
			y = float32(float32(2*x)*y) + cy
			x = float32(xx-yy) + cx
		}
		out[i] = n
	}
	k.file("out.bin", out)
}

// fma rounds once.
func fma(x, y, z float32) float32 {
	f := func(v float32) *big.Float { return new(big.Float).SetPrec(600).SetFloat64(float64(v)) }
	p := f(x)
	p.Mul(p, f(y))
	r, _ := p.Add(p, f(z)).Float32()
	return r
}

func singles(k *kit) {
	const n = 100
	var exact [7][n]float32
	var approx [6][n]float64
	var whole [4][n]int32
	b := floats[float32](n, 0.01, 1.4, 22)
	for i, x := range floats[float32](n, -9, 9, 21) {
		y := b[i]
		dx, dy := float64(x), float64(y)
		for j, v := range []float32{
			x / y, float32(math.Sqrt(math.Abs(dx))), fma(x, y, -x), min(x, y) - max(x, 0.25), x * min(max(y, 0), 1),
			1 / y, float32(uint64(float32(y*1e6))) - float32(int64(float32(x*1e9))),
		} {
			exact[j][i] = v
		}
		third := float64(float32(x * 0.3))
		for j, v := range []float64{math.Exp2(dx), math.Log2(float64(y + 1.5)), math.Sin(third) + 2,
			math.Cos(third) + 2,
			1 / math.Sqrt(float64(y+1)), math.Sqrt(dy) + 1} {
			approx[j][i] = v
		}
		for j, v := range []int32{
			int32(x), int32(math.Floor(dx))*1000 + int32(math.Ceil(dx)),
			int32(math.RoundToEven(dx)) + 7*int32(float32(y*100)) + 31*int32(uint32(float32(y*3e9))),
			int32(math.Float32bits(float32(i * 16777259))),
		} {
			whole[j][i] = v
		}
	}
	var rounded [6][n]float32
	for j := range approx {
		for i, v := range approx[j] {
			rounded[j][i] = float32(v)
		}
	}
	k.file("exact.bin", exact)
	k.file("approx.bin", rounded)
	k.file("ints.bin", whole)
}

func matvec(k *kit) {
	const rows, columns = 23, 740
	a, x := floats[float32](rows*columns, 0, 1, 51), floats[float32](columns, 0, 2, 52)
	y := make([]float32, rows)
	for r := range y {
		s := 0.0
		for c, v := range x {
			s += float64(v) * float64(a[r*columns+c])
		}
		y[r] = float32(s)
	}
	k.file("y.bin", y)
}
