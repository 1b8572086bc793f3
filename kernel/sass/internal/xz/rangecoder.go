package xz

// Probabilities have 11 bits and are adapted by 1/32 of the distance.
const (
	probBits = 11
	probInit = 1 << (probBits - 1)
	moveBits = 5
	topValue = 1 << 24
)

type prob = uint16

func resetProbs(p []prob) {
	for i := range p {
		p[i] = probInit
	}
}

// rangeDecoder decodes the bits of one chunk.
type rangeDecoder struct {
	in    []byte
	pos   int
	rng   uint32
	code  uint32
	short bool // more was wanted than there is
}

// init begins a chunk. It returns false if the chunk is invalid.
func (d *rangeDecoder) init(in []byte) bool {
	if len(in) < 5 || in[0] != 0 {
		return false
	}
	*d = rangeDecoder{in: in, pos: 5, rng: ^uint32(0)}
	d.code = uint32(in[1])<<24 | uint32(in[2])<<16 | uint32(in[3])<<8 | uint32(in[4])
	return true
}

func (d *rangeDecoder) normalize() {
	if d.rng < topValue {
		d.rng <<= 8
		b := byte(0)
		if d.pos < len(d.in) {
			b = d.in[d.pos]
		} else {
			d.short = true
		}
		d.pos++
		d.code = d.code<<8 | uint32(b)
	}
}

func (d *rangeDecoder) bit(p *prob) uint32 {
	v := uint32(*p)
	bound := d.rng >> probBits * v
	var b uint32
	if d.code < bound {
		d.rng = bound
		*p = prob(v + (1<<probBits-v)>>moveBits)
	} else {
		d.rng -= bound
		d.code -= bound
		*p = prob(v - v>>moveBits)
		b = 1
	}
	d.normalize()
	return b
}

// direct decodes n equally likely bits.
func (d *rangeDecoder) direct(n uint32) uint32 {
	v := uint32(0)
	for ; n > 0; n-- {
		d.rng >>= 1
		d.code -= d.rng
		t := 0 - d.code>>31
		d.code += d.rng & t
		d.normalize()
		v = v<<1 + t + 1
	}
	return v
}

// tree decodes n bits, the highest first.
func (d *rangeDecoder) tree(p []prob, n uint32) uint32 {
	m := uint32(1)
	for range n {
		m = m<<1 + d.bit(&p[m])
	}
	return m - 1<<n
}

// reverse decodes n bits, the lowest first.
func (d *rangeDecoder) reverse(p []prob, n uint32) uint32 {
	m, v := uint32(1), uint32(0)
	for i := range n {
		b := d.bit(&p[m])
		m = m<<1 + b
		v |= b << i
	}
	return v
}
