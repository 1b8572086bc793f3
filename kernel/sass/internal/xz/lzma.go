package xz

import "errors"

var errData = errors.New("corrupt LZMA2 data")

const (
	states     = 12
	posStates  = 16
	minMatch   = 2
	endSlot    = 14  // first slot with aligned lowest bits
	distProbs  = 115 // models of the slots before
	alignBits  = 4
	literalLen = 0x300
)

// lengths decodes the length of a match.
type lengths struct {
	choice, choice2 prob
	low, mid        [posStates][8]prob
	high            [256]prob
}

func (l *lengths) reset() {
	l.choice, l.choice2 = probInit, probInit
	for i := range posStates {
		resetProbs(l.low[i][:])
		resetProbs(l.mid[i][:])
	}
	resetProbs(l.high[:])
}

func (l *lengths) decode(d *rangeDecoder, posState uint32) uint32 {
	switch {
	case d.bit(&l.choice) == 0:
		return minMatch + d.tree(l.low[posState][:], 3)
	case d.bit(&l.choice2) == 0:
		return minMatch + 8 + d.tree(l.mid[posState][:], 3)
	}
	return minMatch + 16 + d.tree(l.high[:], 8)
}

// lzma is the state kept from chunk to chunk.
type lzma struct {
	rc         rangeDecoder
	lc, lp, pb uint32
	state      uint32
	rep        [4]uint32
	pos        uint32 // bytes since the dictionary was reset, for the position states

	isMatch, isRep0Long           [states * posStates]prob
	isRep, isRepG0, isRepG1, isG2 [states]prob
	slots                         [4][64]prob
	dist                          [distProbs]prob
	align                         [1 << alignBits]prob
	matchLen, repLen              lengths
	literal                       []prob
}

// properties sets lc, lp and pb from their byte.
func (z *lzma) properties(b byte) bool {
	if b >= 9*5*5 {
		return false
	}
	z.lc = uint32(b % 9)
	b /= 9
	z.lp, z.pb = uint32(b%5), uint32(b/5)
	if z.lc+z.lp > 4 {
		return false
	}
	z.literal = make([]prob, literalLen<<(z.lc+z.lp))
	return true
}

func (z *lzma) resetState() {
	z.state, z.rep = 0, [4]uint32{}
	for _, p := range [][]prob{z.isMatch[:], z.isRep0Long[:], z.isRep[:], z.isRepG0[:], z.isRepG1[:], z.isG2[:],
		z.dist[:], z.align[:], z.literal} {
		resetProbs(p)
	}
	for i := range z.slots {
		resetProbs(z.slots[i][:])
	}
	z.matchLen.reset()
	z.repLen.reset()
}

// decode appends n bytes to buf. Matches may refer to the bytes of buf from low on.
func (z *lzma) decode(buf []byte, low, n int) ([]byte, error) {
	end := len(buf) + n
	for len(buf) < end {
		posState := z.pos & (1<<z.pb - 1)
		if z.rc.bit(&z.isMatch[z.state*posStates+posState]) == 0 {
			buf = z.byte(buf, low)
			continue
		}
		size, ok := z.match(posState)
		if !ok || size == 0 {
			buf, ok = z.copy(buf, low, 1, ok)
		} else {
			buf, ok = z.copy(buf, low, int(size), len(buf)+int(size) <= end)
		}
		if !ok {
			return buf, errData
		}
	}
	if z.rc.short || z.rc.pos != len(z.rc.in) || z.rc.code != 0 {
		return buf, errData
	}
	return buf, nil
}

// copy repeats size bytes from rep[0]+1 back.
func (z *lzma) copy(buf []byte, low, size int, ok bool) ([]byte, bool) {
	d := int(z.rep[0]) + 1
	if !ok || z.rep[0] == ^uint32(0) || d > len(buf)-low {
		return buf, false
	}
	z.pos += uint32(size)
	from := len(buf) - d
	if d >= size {
		return append(buf, buf[from:from+size]...), true
	}
	for range size {
		buf = append(buf, buf[from])
		from++
	}
	return buf, true
}

func (z *lzma) byte(buf []byte, low int) []byte {
	prev := uint32(0)
	if len(buf) > low {
		prev = uint32(buf[len(buf)-1])
	}
	at := ((z.pos&(1<<z.lp-1))<<z.lc + prev>>(8-z.lc)) * literalLen
	p := z.literal[at : at+literalLen]
	sym := uint32(1)
	if d := int(z.rep[0]) + 1; z.state >= 7 && d <= len(buf)-low {
		match := uint32(buf[len(buf)-d])
		for sym < 0x100 {
			m := match >> 7 & 1
			match <<= 1
			b := z.rc.bit(&p[(1+m)<<8+sym])
			sym = sym<<1 | b
			if m != b {
				break
			}
		}
	}
	for sym < 0x100 {
		sym = sym<<1 | z.rc.bit(&p[sym])
	}
	z.pos++
	switch {
	case z.state < 4:
		z.state = 0
	case z.state < 10:
		z.state -= 3
	default:
		z.state -= 6
	}
	return append(buf, byte(sym))
}

// match decodes the length of a match and stores its distance in rep[0]. Length 0 is the short repetition of one
// byte.
func (z *lzma) match(posState uint32) (uint32, bool) {
	rc := &z.rc
	if rc.bit(&z.isRep[z.state]) == 0 {
		z.rep[3], z.rep[2], z.rep[1] = z.rep[2], z.rep[1], z.rep[0]
		n := z.matchLen.decode(rc, posState)
		z.state = after(z.state, 7, 10)
		z.rep[0] = z.distance(n)
		return n, z.rep[0] != ^uint32(0)
	}
	if rc.bit(&z.isRepG0[z.state]) == 0 {
		if rc.bit(&z.isRep0Long[z.state*posStates+posState]) == 0 {
			z.state = after(z.state, 9, 11)
			return 0, true
		}
	} else {
		var d uint32
		switch {
		case rc.bit(&z.isRepG1[z.state]) == 0:
			d = z.rep[1]
		case rc.bit(&z.isG2[z.state]) == 0:
			d = z.rep[2]
			z.rep[2] = z.rep[1]
		default:
			d = z.rep[3]
			z.rep[3], z.rep[2] = z.rep[2], z.rep[1]
		}
		z.rep[1], z.rep[0] = z.rep[0], d
	}
	n := z.repLen.decode(rc, posState)
	z.state = after(z.state, 8, 11)
	return n, true
}

func after(state, literal, other uint32) uint32 {
	if state < 7 {
		return literal
	}
	return other
}

func (z *lzma) distance(size uint32) uint32 {
	rc := &z.rc
	slot := rc.tree(z.slots[min(size-minMatch, 3)][:], 6)
	if slot < 4 {
		return slot
	}
	n := slot>>1 - 1
	d := (2 | slot&1) << n
	if slot < endSlot {
		return d + rc.reverse(z.dist[d-slot:], n)
	}
	return d + rc.direct(n-alignBits)<<alignBits + rc.reverse(z.align[:], alignBits)
}
