package tomldoc

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"
)

// At returns the place of the value at a dotted path, or else of its nearest enclosing part, or of the file. In the
// path the number of a table follows the name of its array (figure.0.title).
func (d *Doc) At(path string) Pos {
	for ; path != ""; path = path[:max(strings.LastIndexByte(path, '.'), 0)] {
		for i := range d.Entries {
			if d.Entries[i].Path() == path {
				return d.Entries[i].Val
			}
		}
		if p, ok := d.firstBelow(path); ok {
			return p
		}
	}
	return Pos{File: d.File}
}

// firstBelow returns the place of the first key below a path.
func (d *Doc) firstBelow(path string) (Pos, bool) {
	for i := range d.Entries {
		if strings.HasPrefix(d.Entries[i].Path(), path+".") {
			return d.Entries[i].Pos, true
		}
	}
	return Pos{}, false
}

// Has reports whether the document sets the key at a dotted path.
func (d *Doc) Has(path string) bool {
	for i := range d.Entries {
		if d.Entries[i].Path() == path {
			return true
		}
	}
	return false
}

// Elem returns the place of element i of the array at a path.
func (d *Doc) Elem(path string, i int) Pos {
	for k := range d.Entries {
		if e := &d.Entries[k]; e.Path() == path && i < len(e.Elems) {
			return e.Elems[i].Pos
		}
	}
	return d.At(path)
}

// Rune returns the place in the file of character n, counted from 0, of the string value that begins at a place.
// Quotes and escapes are taken into account. For other values it returns the place unchanged.
func (d *Doc) Rune(at Pos, n int) Pos {
	if at.Line == 0 {
		return at
	}
	start := d.src.offset(at)
	rest := string(d.src.data[start:])
	quote := rest[:min(1, len(rest))]
	if quote != `"` && quote != `'` {
		return at
	}
	i := 1
	if strings.HasPrefix(rest, strings.Repeat(quote, 3)) {
		i = 3
		if strings.HasPrefix(rest[i:], "\r\n") {
			i += 2
		} else if strings.HasPrefix(rest[i:], "\n") {
			i++
		}
	}
	for ; n > 0 && i < len(rest); n-- {
		i += character(rest[i:], quote == `"`)
	}
	if quote == `"` {
		i += folded(rest[min(i, len(rest)):])
	}
	return d.src.At(min(start+i, len(d.src.data)))
}

// character returns how many bytes represent the next character of a string.
func character(s string, escapes bool) int {
	skipped := 0
	if escapes {
		skipped = folded(s)
		s = s[skipped:]
	}
	switch {
	case s == "":
		return skipped
	case !escapes || s[0] != '\\' || len(s) < 2:
		_, n := utf8.DecodeRuneInString(s)
		return skipped + n
	case s[1] == 'u':
		return skipped + min(6, len(s))
	case s[1] == 'U':
		return skipped + min(10, len(s))
	case s[1] == 'x':
		return skipped + min(4, len(s))
	}
	return skipped + 2
}

// folded returns how many bytes of a string are removed by a backslash at the end of a line, including the blanks
// before the next text.
func folded(s string) int {
	total := 0
	for {
		line, _, ok := strings.Cut(s, "\n")
		if !ok || !strings.HasPrefix(line, `\`) || strings.TrimSpace(line[1:]) != "" {
			return total
		}
		rest := strings.TrimLeft(s[len(line):], " \t\r\n")
		total += len(s) - len(rest)
		s = rest
	}
}

// Finite returns an *Error for each number of the document that is infinite or NaN.
func (d *Doc) Finite() (errs []error) {
	look := func(kind Kind, at Pos) {
		if kind != unstable.Float {
			return
		}
		rest := d.src.data[d.src.offset(at):]
		if end := bytes.IndexAny(rest, " \t\r\n,]}#"); end >= 0 {
			rest = rest[:end]
		}
		text := string(rest)
		if f, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64); err != nil || math.IsInf(f, 0) ||
			math.IsNaN(f) {
			errs = append(errs, Errorf(at, "found %s, expected a finite number", text))
		}
	}
	for i := range d.Entries {
		e := &d.Entries[i]
		look(e.Kind, e.Val)
		for _, x := range e.Elems {
			look(x.Kind, x.Pos)
		}
	}
	return errs
}
