package stream

import "kumiko/kernel/ir"

// Value is the class of a warp register's content: how far the words of its lanes differ. It describes the whole
// register after a write, whether of all lanes or of some. Lanes without a thread do not count.
type Value uint8

// The lower bits of a Value are the size of the differences from the word of lane 0, as signed integers.
const (
	Equal  Value = iota // all differences are 0
	Byte                // each fits a byte
	Half                // each fits two bytes
	Unlike              // some need more, or nothing is known
	size   Value = 3
	affine Value = 4
)

// Difference returns the size of the differences: Equal, Byte, Half or Unlike.
func (v Value) Difference() Value { return v & size }

// Affine reports whether each lane's word is that of the lane before plus the same number, modulo 2^32. Equal
// contents are affine.
func (v Value) Affine() bool { return v&affine != 0 }

// Classify returns the class of a content in the first n lanes, 1 to 32.
func Classify(words *[32]uint32, n int) Value {
	var all, magnitude, bends uint32
	stride := words[min(1, n-1)] - words[0]
	for l := 1; l < n; l++ {
		d := words[l] - words[0]
		all |= d
		magnitude |= uint32(int32(d) ^ int32(d)>>31)
		bends |= words[l] - words[l-1] ^ stride
	}
	v := Unlike
	switch {
	case all == 0:
		v = Equal
	case magnitude < 1<<7:
		v = Byte
	case magnitude < 1<<15:
		v = Half
	}
	if bends == 0 {
		v |= affine
	}
	return v
}

// ValueCursor is a Cursor of a warp whose values are recorded.
type ValueCursor struct {
	Cursor
	values []Value
	at     int
}

// Start puts the cursor before the first instruction of warp i of a CTA with values.
func (c *ValueCursor) Start(cta *CTA, i int) {
	c.Cursor.Start(cta.Kernel, &cta.Warps[i])
	c.values, c.at = cta.Values[i], 0
}

// Next steps past the next instruction. It returns the instruction and the classes of its destination registers, in
// their order; there are none without an executing lane. At the end of the stream the instruction is nil.
func (c *ValueCursor) Next() (*ir.Inst, []Value) {
	var d Dyn
	jump := c.jump
	if !c.Cursor.Next(&d) {
		return nil, nil
	}
	var out []Value
	if n := int(d.Inst.T.NDst); n > 0 && d.Exec != 0 {
		out = c.values[c.at : c.at+n]
		c.at += n
	}
	if c.jump != jump {
		c.at = c.w.Jumps[jump].To.Value
	}
	return d.Inst, out
}
