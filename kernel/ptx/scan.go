package ptx

import (
	"math"
	"strconv"
	"strings"

	"kumiko/internal/excerpt"
)

type tokenKind uint8

const (
	tokEOF   tokenKind = iota
	tokIdent           // add, %r1, $L__BB0_2, _
	tokDot             // .s32, .entry, .x; text without the dot
	tokInt
	tokFloat // decimal: 64 bits
	tokF32   // 0f..
	tokF64   // 0d..
	tokString
	tokPunct // text is the operator
	tokBad
)

// token is a lexical element. For numbers bits is the value: an integer, or
// the pattern of a float.
type token struct {
	kind tokenKind
	text string
	bits uint64
	pos  pos
}

// shown is a part of a source in a form for messages.
type shown string

// describe names a token in messages.
func (t token) describe() shown {
	switch t.kind {
	case tokEOF:
		return "the end of the file"
	case tokDot:
		return shown(excerpt.Quote("." + t.text))
	}
	return shown(excerpt.Quote(t.text))
}

type scanner struct {
	src  string
	off  int
	line int
	bol  int // offset of the line's first byte
	errs *errors
}

func (s *scanner) here() pos { return pos{s.line, s.off - s.bol + 1} }

func (s *scanner) newline() {
	s.line++
	s.bol = s.off
}

// space skips white space, comments and line markers.
func (s *scanner) space() {
	for s.off < len(s.src) {
		switch c := s.src[s.off]; {
		case c == '\n':
			s.off++
			s.newline()
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			s.off++
		case c == '#' && strings.TrimSpace(s.src[s.bol:s.off]) == "", strings.HasPrefix(s.src[s.off:], "//"):
			for s.off < len(s.src) && s.src[s.off] != '\n' {
				s.off++
			}
		case strings.HasPrefix(s.src[s.off:], "/*"):
			s.comment()
		default:
			return
		}
	}
}

func (s *scanner) comment() {
	start := s.here()
	end := strings.Index(s.src[s.off+2:], "*/")
	if end < 0 {
		s.errs.add(start, "found the end of the file, expected */ to close the comment")
		s.off = len(s.src)
		return
	}
	stop := s.off + 2 + end + 2
	for ; s.off < stop; s.off++ {
		if s.src[s.off] == '\n' {
			s.line++
			s.bol = s.off + 1
		}
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c == '%'
}
func isFollow(c byte) bool { return isStart(c) && c != '%' || isDigit(c) }

// next scans a token.
func (s *scanner) next() token {
	s.space()
	t := token{pos: s.here()}
	if s.off >= len(s.src) {
		return t
	}
	start := s.off
	c := s.src[s.off]
	switch {
	case isStart(c):
		s.off++
		s.run(isFollow)
		t.kind = tokIdent
	case c == '.':
		s.off++
		for s.run(isFollow); strings.HasPrefix(s.src[s.off:], "::"); s.run(isFollow) {
			s.off += 2
		}
		t.kind, t.text = tokDot, s.src[start+1:s.off]
		if t.text == "" {
			s.errs.add(t.pos, "found a lone \".\", expected a name behind it")
			t.kind = tokBad
		}
		return t
	case isDigit(c):
		s.number(&t)
	case c == '"':
		s.str(&t)
	default:
		s.punct(&t)
	}
	t.text = s.src[start:s.off]
	return t
}

func (s *scanner) run(in func(byte) bool) {
	for s.off < len(s.src) && in(s.src[s.off]) {
		s.off++
	}
}

func (s *scanner) str(t *token) {
	t.kind = tokString
	for s.off++; s.off < len(s.src) && s.src[s.off] != '"'; s.off++ {
		if s.src[s.off] == '\n' {
			s.errs.add(t.pos, "found the end of the line, expected \" to close the string")
			return
		}
	}
	if s.off >= len(s.src) {
		s.errs.add(t.pos, "found the end of the file, expected \" to close the string")
		return
	}
	s.off++
}

var operators = []string{"<<", ">>", "==", "!=", "<=", ">=", "&&", "||"}

func (s *scanner) punct(t *token) {
	t.kind = tokPunct
	for _, op := range operators {
		if strings.HasPrefix(s.src[s.off:], op) {
			s.off += 2
			return
		}
	}
	c := s.src[s.off]
	s.off++
	if !strings.ContainsRune("{}()[]<>,;:@!|+-*/%=&^~?", rune(c)) {
		s.errs.add(t.pos, "found the character %q, expected PTX", c)
		t.kind = tokBad
	}
}

// number scans integers (decimal, octal, 0x, 0b, suffix U), decimal floats and
// the exact forms 0f and 0d (PTX ISA section 4.5).
func (s *scanner) number(t *token) {
	start := s.off
	if s.src[s.off] == '0' && s.off+1 < len(s.src) && strings.IndexByte("fFdD", s.src[s.off+1]) >= 0 {
		s.exact(t)
		return
	}
	s.run(isFollow)
	text := s.src[start:s.off]
	hex := strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X")
	point := s.off+1 < len(s.src) && s.src[s.off] == '.' && isDigit(s.src[s.off+1]) && !hex
	exponent := !hex && strings.ContainsAny(text, "eE")
	if point {
		s.off++
		s.run(isFollow)
		exponent = strings.ContainsAny(s.src[start:s.off], "eE")
	}
	if last := s.src[s.off-1]; exponent && (last == 'e' || last == 'E') && s.off < len(s.src) &&
		(s.src[s.off] == '-' || s.src[s.off] == '+') {
		s.off++
		s.run(isDigit)
	}
	text = s.src[start:s.off]
	if point || exponent {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil && !math.IsInf(f, 0) {
			s.errs.add(t.pos, "found %q, expected a number", text)
		}
		t.kind, t.bits = tokFloat, math.Float64bits(f)
		return
	}
	t.kind = tokInt
	v, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSuffix(text, "U"), "u"), 0, 64)
	if err != nil || strings.Contains(text, "_") {
		s.errs.add(t.pos, "found %q, expected a number of at most 64 bits", text)
	}
	t.bits = v
}

func (s *scanner) exact(t *token) {
	start := s.off
	t.kind = tokF32
	digits := 8
	if c := s.src[s.off+1]; c == 'd' || c == 'D' {
		t.kind, digits = tokF64, 16
	}
	s.off += 2
	s.run(isFollow)
	v, err := strconv.ParseUint(s.src[start+2:s.off], 16, 64)
	if err != nil || s.off-start-2 != digits {
		s.errs.add(t.pos, "found %q, expected %d hexadecimal digits behind %q", s.src[start:s.off], digits,
			s.src[start:start+2])
	}
	t.bits = v
}
