package tomldoc

import (
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"kumiko/internal/nearest"
)

// Mistake is a key unknown to a shape, or a value not accepted by it.
type Mistake struct {
	Pos   Pos
	Entry *Entry
	Known int    // number of leading parts of the key found in the shape
	At    *Shape // shape of these parts, without the next part or not accepting the value
	Found string // kind of the value, with its article; "": the key is unknown
	Elem  int    // number of the wrong element, from 1; 0: the value itself
	table bool   // a table's header is wrong
}

// Check returns the mistakes in the keys and the types of a document: of headers, and then of entries. Arrays of tables
// may be nested. A shape for any value accepts everything. Below a wrong header nothing else is checked.
func (s *Shape) Check(d *Doc) (all []Mistake) {
	for i := range d.Tables {
		t := &d.Tables[i]
		at, m := s.find(t, false)
		if m == nil && !at.any() && (at.Leaf() || (at.List != nil) != (t.Kind == unstable.ArrayTable)) {
			m = &Mistake{Pos: t.Pos, Entry: t, Known: len(t.Key), At: at, Found: Article(foundNoun(t.Kind)),
				table: true}
		}
		if m != nil {
			all = append(all, *m)
		}
	}
	headers := all
	for i := range d.Entries {
		e := &d.Entries[i]
		if slices.ContainsFunc(headers, func(m Mistake) bool { return below(e.shown, m.Entry.Key) }) {
			continue
		}
		at, m := s.find(e, true)
		if m == nil {
			m = at.value(e)
		}
		if m != nil {
			all = append(all, *m)
		}
	}
	return all
}

// below reports whether a key is that of a table, or of something in it.
func below(key, table []string) bool {
	return len(key) >= len(table) && slices.Equal(key[:len(table)], table)
}

// Unknown reports whether the mistake is a key that its table does not have.
func (m *Mistake) Unknown() bool { return m.Found == "" && !m.table && m.At.Table != nil }

// Intended returns the parts, from the unknown one on, of the key that was probably meant: the nearest key, and below
// it the parts that follow, or the keys nearest to them, as far as there are any. It returns nil if no key is near.
func (m *Mistake) Intended() (parts []string) {
	at := m.At
	for _, part := range m.Entry.Key[m.Known:] {
		if at.List != nil && at.Child(part) == nil {
			at = at.List // a header has no number here
		}
		if at.Child(part) == nil {
			part = nearest.Of(part, at.Keys, 2)
		}
		if part == "" {
			break
		}
		parts = append(parts, part)
		at = at.Child(part)
	}
	return parts
}

// Find returns the shape of a key.
func (s *Shape) Find(e *Entry) (*Shape, *Mistake) { return s.find(e, true) }

// find is Find. In a key without numbers, as in a header, the names of arrays of tables are not followed by the
// number of a table.
func (s *Shape) find(e *Entry, numbered bool) (*Shape, *Mistake) {
	for i, part := range e.Key {
		if s.List != nil && !numbered {
			s = s.List
		}
		if s.any() {
			return s, nil
		}
		c := s.Child(part)
		if c == nil {
			return nil, &Mistake{Pos: e.Pos, Entry: e, Known: i, At: s}
		}
		s = c
	}
	return s, nil
}

// value returns the mistake in the value of an entry, or nil.
func (s *Shape) value(e *Entry) *Mistake {
	m := &Mistake{Pos: e.Val, Entry: e, Known: len(e.Key), At: s}
	kind := e.Kind
	if takes(s.Type, kind) {
		if s.Type.Kind() != reflect.Slice {
			return nil
		}
		for m.Elem < len(e.Elems) && takes(s.Type.Elem(), e.Elems[m.Elem].Kind) {
			m.Elem++
		}
		if m.Elem == len(e.Elems) {
			return nil
		}
		m.Pos, kind = e.Elems[m.Elem].Pos, e.Elems[m.Elem].Kind
		m.Elem++
	}
	m.Found = Article(foundNoun(kind))
	return m
}

// Check returns, as error messages, the mistakes of a document to be decoded into a struct of the given type.
func Check(d *Doc, into reflect.Type) (errs []error) {
	return InWords(ShapeOf(into).Check(d))
}

// InWords returns mistakes as error messages.
func InWords(mistakes []Mistake) (errs []error) {
	for _, m := range mistakes {
		key, want := m.Entry.Key, Article(m.At.Noun())
		switch {
		case m.table:
			errs = append(errs, Errorf(m.Pos, "%s: expected %s", m.Entry.Name(), want))
		case m.Found != "":
			errs = append(errs, Errorf(m.Pos, "%s: found %s, expected %s", Dotted(key[len(key)-1]), m.Found, want))
		case m.At.Table != nil:
			expected := "expected one of " + strings.Join(m.At.Keys, ", ")
			if meant := m.Intended(); meant != nil {
				expected = "did you mean " + Dotted(meant[0]) + "?"
			}
			errs = append(errs, Errorf(m.Pos, "unknown key %s; %s", Dotted(key[m.Known]), expected))
		default:
			errs = append(errs, Errorf(m.Pos, "%s: found a table, expected %s", Dotted(key[:m.Known]...), want))
		}
	}
	return errs
}
