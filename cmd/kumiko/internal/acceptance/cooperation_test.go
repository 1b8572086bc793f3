package acceptance

import (
	"math/rand"
	"slices"
)

func warp(k *kit) {
	const n = 1016
	in := ints[int32](n, 0, 999, 41)
	var out [5][n]int32
	for base := 0; base < n; {
		size := min(32, 508-base%508)
		w := in[base : base+size]
		var sum, odd, group int32
		all, anyOf, allOdd := true, false, true
		for _, v := range w {
			sum += v
			all = all && v > 3
			anyOf = anyOf || v > 995
			odd += v & 1
			allOdd = allOdd && (v&1 == 0 || v%4 == 1)
		}
		scan, before := int32(0), int32(0)
		for l, v := range w {
			if l%4 == 0 {
				group = slices.Max(w[l : l+4])
			}
			scan += v
			flags := int32(which(all, 1) | which(anyOf, 2))
			if v&1 != 0 {
				flags |= int32(which(allOdd, 4)) | odd<<8
			}
			for j, x := range []int32{sum, scan, group, before, flags} {
				out[j][base+l] = x
			}
			before += v & 1
		}
		base += size
	}
	k.file("out.bin", out)
}

func globals(k *kit) {
	weights := []int32{3, -1, 4, -1, 5, -9, 2}
	table := [3][4]int32{{1, 2, 3, 4}, {5, 6}, {7}}
	out, scaled := make([]int32, 74), make([]float32, 74)
	launch := func(n int, list int32) {
		for i := range n {
			s := list
			if i&1 == 0 {
				s *= 2
			}
			for w := range 7 {
				s += weights[(w+i)%7] * int32(w)
			}
			out[i] = s + int32("kumiko"[i%6]) + table[i%3][i%4] + int32(100+11*(i&3))
			scaled[i] = float32(out[i]) / 4
		}
	}
	launch(74, 321)
	launch(5, 320)
	k.file("out.bin", out)
	k.file("scaled.bin", scaled)
	k.file("sum.bin", int64(-1234567890123456789))
	k.file("counted.bin", []int32{1000 + 73*74/2, 5 + 4*5/2})
}

func scan(k *kit) {
	data := ints[uint32](2999, 0, 3000000, 61)
	totals := make([]uint32, 12)
	s := uint32(0)
	for i, v := range data {
		if i%256 == 0 {
			totals[i/256] = s
		}
		data[i] = s
		s += v
	}
	k.file("data.bin", data)
	k.file("totals.bin", totals)
}

func hashtable(k *kit) {
	var count [440]uint32
	for _, key := range ints[uint32](1200, 1, 400, 101) {
		count[key]++
	}
	k.file("out.bin", count[150:440])
}

func lastblock(k *kit) {
	sum := uint64(0)
	for _, v := range ints[uint32](10000, 0, 100000, 111) {
		sum += uint64(v) * uint64(v)
	}
	k.file("out.bin", 3*sum)
}

func chain(k *kit) {
	value := make([]uint32, 20)
	value[19] = 1
	for i := 18; i >= 0; i-- {
		value[i] = value[i+1]*3 + uint32(i)
	}
	locked := uint32(0)
	for range 20 * 4 {
		locked = locked*5 + 1
	}
	k.file("value.bin", value)
	k.file("locked.bin", locked)
}

// meshThread is a thread of mesh.cu: v is its input, and other the value behind its pointer.
func meshThread(v, other int32) (a, k int32) {
	var r, q int32
	if v%3 == 0 {
		goto middle
	}
top:
	a += other
	k++
	if k > 20 {
		return a, k
	}
	if a%7 == 3 {
		goto tail
	}
middle:
	a = (a&0xffff)*3 + k
	if a&5 == 5 {
		a -= v
		k++
		if a > 100000 {
			return a, k
		}
		goto middle2
	}
tail:
	a ^= v + k
middle2:
	k++
	if k < v&15 {
		goto top
	}
	for r = range 10 {
		if a>>r&1 == 0 {
			continue
		}
		for q = range r {
			if (a^q)%11 == 0 {
				return a, k
			}
			if q%3 != v&3 {
				a += q
			}
		}
		if r == v%10 {
			break
		}
		a += r
	}
	return a, k
}

func mesh(k *kit) {
	in := ints[int32](320, 0, 5000, 121)
	var out [2][320]int32
	for i, v := range in {
		other := in[i^1]
		if v&1 == 0 {
			other *= 2
		}
		out[0][i], out[1][i] = meshThread(v, other)
	}
	k.file("out.bin", out)
}

// operation is the instruction of interpreter.cu.
type operation struct {
	Code, Dst uint8
	Imm       int16
}

// apply executes one instruction as lane.
func (o operation) apply(m *[4]int32, lane int32) {
	d, imm := &m[o.Dst&3], int32(o.Imm)
	switch o.Code {
	case 0:
		*d = imm
	case 1:
		*d += m[(o.Dst+1)&3]
	case 2:
		*d -= imm
	case 3:
		*d *= 3
	case 4:
		*d = (*d ^ m[0]<<3) + imm>>1*7
	case 5:
		*d = lane
	case 6:
		*d >>= 2
	case 7:
		*d = ^*d
	case 8:
		if *d&1 != 0 {
			*d = *d*5 + 1
		} else {
			*d /= 3
		}
	case 9:
		*d %= 17
	case 10:
		*d = min(m[2], m[3])
	default:
		*d ^= 0x55
	}
}

func interpreter(k *kit) {
	const threads, stride = 210, 40
	rng := rand.New(rand.NewSource(4))
	code := make([]operation, threads*stride)
	for i := range code {
		code[i] = operation{uint8(rng.Intn(13)), uint8(rng.Intn(256)), int16(rng.Intn(65536) - 32768)}
	}
	k.file("code.bin", code)
	out := make([]int32, 2*threads)
	for i, n := range ints[int32](threads, 0, 40, 2) {
		m := [4]int32{int32(i), -9, 7, int32(-i)}
		n = min(n, 33)
		for _, o := range code[i*stride : i*stride+int(n)] {
			o.apply(&m, int32(i%70%32))
		}
		r := int64(0)
		for _, v := range m {
			r = r*1000003 + int64(v)
		}
		out[2*i], out[2*i+1] = int32(r^r>>32), n
	}
	k.file("out.bin", out)
}
