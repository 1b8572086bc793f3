package tomldoc

import (
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"

	"kumiko/internal/infile"
)

// Source is the text of a document. It holds the offset of each line, so that a place is found without scanning the
// text.
type Source struct {
	file  string
	data  []byte
	lines []int // offset of each line
}

// NewSource returns the source of a document. It refuses, with an *Error, content other than text, and too many or
// too long keys.
func NewSource(file string, data []byte) (*Source, error) {
	s := &Source{file: file, data: data, lines: []int{0}}
	for i, c := range data {
		if c == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	if what, at := infile.Odd(data); what != "" {
		return nil, Errorf(s.At(at), "found %s, expected a TOML document in plain UTF-8", what)
	}
	if err := checkKeys(s); err != nil {
		return nil, err
	}
	return s, nil
}

// At returns the place of a byte.
func (s *Source) At(offset int) Pos {
	n, found := slices.BinarySearch(s.lines, offset)
	if !found {
		n--
	}
	return Pos{File: s.file, Line: n + 1, Col: offset - s.lines[n] + 1}
}

// offset returns the byte offset of a place in the document.
func (s *Source) offset(p Pos) int {
	return min(s.lines[min(p.Line, len(s.lines))-1]+p.Col-1, len(s.data))
}

// Pos returns the place of the beginning of a range.
func (s *Source) Pos(rg unstable.Range) Pos { return s.At(int(rg.Offset)) }
