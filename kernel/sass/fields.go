package sass

import "math"

// fields splits a line at its spaces. The numbers of a trace are parsed by hand, because this is the innermost loop
// of reading.
type fields struct {
	b []byte
	i int
}

// space skips blanks and reports whether a field follows.
func (f *fields) space() bool {
	for f.i < len(f.b) && (f.b[f.i] == ' ' || f.b[f.i] == '\t') {
		f.i++
	}
	return f.i < len(f.b)
}

// word returns the next field, empty at the end of the line.
func (f *fields) word() []byte {
	f.space()
	from := f.i
	for f.i < len(f.b) && f.b[f.i] != ' ' && f.b[f.i] != '\t' {
		f.i++
	}
	return f.b[from:f.i]
}

// bad returns an error at the field beginning at from.
func (f *fields) bad(from int, want string) error {
	g := fields{f.b, from}
	w := g.word()
	if len(w) == 0 {
		return badField(from, "found the end of the line, expected %s", want)
	}
	if len(w) > 40 {
		w = append(append([]byte{}, w[:40]...), "..."...)
	}
	return badField(from, "found %q, expected %s", w, want)
}

// ends reports whether a field ends here.
func (f *fields) ends() bool { return f.i == len(f.b) || f.b[f.i] == ' ' || f.b[f.i] == '\t' }

// digit has the value of a hexadecimal digit, and 16 for any other byte.
var digit = func() (t [256]byte) {
	for i := range t {
		t[i] = 16
	}
	for i := range byte(10) {
		t['0'+i] = i
	}
	for i := range byte(6) {
		t['a'+i], t['A'+i] = 10+i, 10+i
	}
	return t
}()

// hex reads a hexadecimal number of at most 64 bits, with or without 0x.
func (f *fields) hex(want string) (uint64, error) {
	f.space()
	from := f.i
	if f.i+1 < len(f.b) && f.b[f.i] == '0' && f.b[f.i+1]|0x20 == 'x' {
		f.i += 2
	}
	first := f.i
	v := uint64(0)
	for f.i < len(f.b) {
		d := digit[f.b[f.i]]
		if d > 15 {
			break
		}
		if v>>60 != 0 {
			return 0, f.bad(from, want)
		}
		v = v<<4 | uint64(d)
		f.i++
	}
	if f.i == first || !f.ends() {
		return 0, f.bad(from, want)
	}
	return v, nil
}

// integer reads a decimal number of 64 bits, signed or not.
func (f *fields) integer(want string) (int64, error) {
	f.space()
	from := f.i
	neg := f.i < len(f.b) && f.b[f.i] == '-'
	if neg {
		f.i++
	}
	first := f.i
	v := uint64(0)
	for f.i < len(f.b) {
		d := f.b[f.i] - '0'
		if d > 9 {
			break
		}
		if v > (math.MaxUint64-uint64(d))/10 {
			return 0, f.bad(from, want)
		}
		v = v*10 + uint64(d)
		f.i++
	}
	if f.i == first || !f.ends() {
		return 0, f.bad(from, want)
	}
	if neg {
		v = -v
	}
	return int64(v), nil
}

// signed reads a signed decimal number of 64 bits.
func (f *fields) signed(want string) (int64, error) {
	f.space()
	from := f.i
	v, err := f.integer(want)
	if err == nil && v != 0 && (v < 0) != (f.b[from] == '-') {
		err = f.bad(from, want)
	}
	return v, err
}

// count reads a decimal number from 0 to limit.
func (f *fields) count(limit int64, want string) (int, error) {
	f.space()
	from := f.i
	v, err := f.integer(want)
	if err == nil && (v < 0 || v > limit) {
		err = f.bad(from, want)
	}
	return int(v), err
}
