package cuasm

import (
	"strings"

	"kumiko/kernel/ir"
)

// control reads a control word in CuAssembler's or in maxas' notation, if there is one.
func (r *reader) control() (ir.Control, error) {
	r.space()
	rest := r.text[r.at:]
	switch {
	case strings.HasPrefix(rest, "["):
		return r.bracketed()
	case len(rest) > 2 && rest[2] == ':':
		return r.colons()
	}
	return ir.Control{}, nil
}

// ControlWord reads the control word at the beginning of a line, in CuAssembler's or in maxas' notation, and returns it
// with the text behind it. Without one the word is not set. Its error is an *Error that knows neither file nor line.
func ControlWord(line string) (c ir.Control, rest string, err error) {
	r := &reader{text: line}
	c, err = r.control()
	return c, r.text[r.at:], err
}

// Colons returns a control word in maxas' notation.
func Colons(c ir.Control) string {
	text := []byte("--:-:-:-:")
	if c.Wait != 0 {
		text[0], text[1] = digits[c.Wait>>4&15], digits[c.Wait&15]
	}
	if c.Read < ir.Counters {
		text[3] = '1' + c.Read
	}
	if c.Write < ir.Counters {
		text[5] = '1' + c.Write
	}
	if c.Yield {
		text[7] = 'Y'
	}
	return string(append(text, digits[c.Stall&15]))
}

const digits = "0123456789abcdef"

// take returns the next byte and steps over it. It returns 0 at the end of the line.
func (r *reader) take() byte {
	if r.at >= len(r.text) {
		return 0
	}
	r.at++
	return r.text[r.at-1]
}

// want steps over a required text.
func (r *reader) want(text string) error {
	if !strings.HasPrefix(r.text[r.at:], text) {
		return r.badByte("\"" + text + "\"")
	}
	r.at += len(text)
	return nil
}

// badByte returns an error about the next byte.
func (r *reader) badByte(want string) error {
	if r.at >= len(r.text) {
		return r.bad(r.at, "the end of the line", want)
	}
	return r.bad(r.at, "\""+r.text[r.at:r.at+1]+"\"", want)
}

// bracketed reads CuAssembler's notation, such as [B01--4-:R0:W3:Y:S04].
func (r *reader) bracketed() (c ir.Control, err error) {
	c = ir.Plain(0)
	if err = r.want("[B"); err != nil {
		return c, err
	}
	for i := range byte(ir.Counters) {
		switch b := r.take(); b {
		case '-':
		case '0' + i:
			c.Wait |= 1 << i
		default:
			r.at--
			return c, r.badByte("- or " + string('0'+rune(i)) + ", the counter of this place")
		}
	}
	if err = r.want(":R"); err != nil {
		return c, err
	}
	if c.Read, err = r.counter('0'); err != nil {
		return c, err
	}
	if err = r.want(":W"); err != nil {
		return c, err
	}
	if c.Write, err = r.counter('0'); err != nil {
		return c, err
	}
	if err = r.want(":"); err != nil {
		return c, err
	}
	if c.Yield, err = r.yield(); err != nil {
		return c, err
	}
	if err = r.want(":S"); err != nil {
		return c, err
	}
	tens, ones := r.take(), r.take()
	stall := int(tens-'0')*10 + int(ones-'0')
	if tens < '0' || tens > '1' || ones < '0' || ones > '9' || stall > 15 {
		r.at = max(0, r.at-2)
		return c, r.badByte("a stall of 00 to 15")
	}
	c.Stall = uint8(stall)
	return c, r.want("]")
}

// colons reads maxas' notation, such as 01:-:4:Y:d: wait mask, read and write counter from 1 on, yield,
// stall; mask and stall are hexadecimal.
func (r *reader) colons() (c ir.Control, err error) {
	c = ir.Plain(0)
	from := r.at
	if mask := r.text[r.at : r.at+2]; mask != "--" {
		hi, lo := hexDigit(mask[0]), hexDigit(mask[1])
		if c.Wait = hi<<4 | lo; hi > 3 || lo > 15 {
			return c, r.bad(from, "\""+mask+"\"", "a wait mask, -- or 00 to 3f")
		}
	}
	r.at += 2
	for _, to := range []*uint8{&c.Read, &c.Write} {
		if err = r.want(":"); err != nil {
			return c, err
		}
		if *to, err = r.counter('1'); err != nil {
			return c, err
		}
	}
	if err = r.want(":"); err != nil {
		return c, err
	}
	if c.Yield, err = r.yield(); err != nil {
		return c, err
	}
	if err = r.want(":"); err != nil {
		return c, err
	}
	if c.Stall = hexDigit(r.take()); c.Stall > 15 {
		r.at = max(0, r.at-1)
		return c, r.badByte("a stall of 0 to f")
	}
	return c, nil
}

// counter reads a counter, numbered from first on, or -.
func (r *reader) counter(first byte) (uint8, error) {
	b := r.take()
	switch {
	case b == '-':
		return ir.NoCounter, nil
	case b >= first && b < first+ir.Counters:
		return b - first, nil
	}
	r.at = max(0, r.at-1)
	return 0, r.badByte("- or a counter, " + string(rune(first)) + " to " + string(rune(first+ir.Counters-1)))
}

func (r *reader) yield() (bool, error) {
	switch r.take() {
	case 'Y':
		return true, nil
	case '-':
		return false, nil
	}
	r.at = max(0, r.at-1)
	return false, r.badByte("- or Y")
}

// hexDigit returns the value of a hexadecimal digit, and 255 for anything else.
func hexDigit(c byte) uint8 {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return 255
}
