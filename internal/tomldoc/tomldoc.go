package tomldoc

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Pos is a place in a file. Line and Col count from 1. A Pos without a line is a place outside files, such as a
// command-line option, described by File.
type Pos struct {
	File      string
	Line, Col int
}

// String returns "file:line:column".
func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Kind is the kind of a value.
type Kind = unstable.Kind

// Entry is one key set by the document. The members of an inline table are entries of their own, after the table's
// entry. So are the members of tables in an array, under the array's key and the number of the table.
type Entry struct {
	Key   []string
	Pos   Pos    // of the key
	Val   Pos    // of the value; of the key where the value has no place of its own
	Kind  Kind   // Array for arrays
	Elems []Elem // of an array
	// Comment is the text of the comment after the value on its line or, if there is none, of the comment lines
	// directly above.
	Comment string
	shown   []string // the key without the numbers of tables
	text    string   // of a value that is no table and no array: a string without quotes and escapes
}

// Elem is an element of an array.
type Elem struct {
	Kind Kind
	Pos  Pos // of the array's key, for elements without a place such as arrays
	text string
}

// Path returns the key in dotted form.
func (e *Entry) Path() string { return strings.Join(e.Key, ".") }

// Name returns the key for messages: dotted, and without the numbers of tables in arrays.
func (e *Entry) Name() string {
	if e.shown == nil {
		return Dotted(e.Key...)
	}
	return Dotted(e.shown...)
}

// Doc is a document.
type Doc struct {
	File    string
	Entries []Entry
	// Tables are the headers, in document order, with their places. Their keys have no numbers of tables.
	Tables []Entry

	places []Entry // the headers with the numbers of tables in their keys
	src    *Source
}

// Rename replaces the key of every header and entry.
func (d *Doc) Rename(f func(key []string) []string) {
	for _, list := range [][]Entry{d.Tables, d.places, d.Entries} {
		for i := range list {
			list[i].Key = f(list[i].Key)
		}
	}
}

// Apply stores the document's values. target returns the variable that has a key, and the part of the key below the
// variable. The document has no mistake (Shape.Check).
func (d *Doc) Apply(target func(key []string) (v reflect.Value, below []string)) error {
	for i := range d.Entries {
		v, below := target(d.Entries[i].Key)
		d.Entries[i].Clear(v, below)
	}
	for _, list := range [][]Entry{d.places, d.Entries} {
		for i := range list {
			v, below := target(list[i].Key)
			if err := list[i].Set(v, below); err != nil {
				return err
			}
		}
	}
	return nil
}

// Parse reads a document. The error about a malformed document is an *Error.
func Parse(file string, data []byte) (*Doc, error) {
	src, err := NewSource(file, data)
	if err != nil {
		return nil, err
	}
	r := reader{doc: &Doc{File: file, src: src}, arrays: map[string]int{}}
	r.p.KeepComments = true
	r.p.Reset(data)
	for r.p.NextExpression() {
		r.expression(r.p.Expression())
	}
	if err := r.p.Error(); err != nil {
		return nil, r.syntax(err)
	}
	return r.doc, nil
}

type reader struct {
	p       unstable.Parser
	doc     *Doc
	prefix  path           // of the current table
	arrays  map[string]int // tables so far of each array of tables, by dotted key
	above   []string       // comment lines
	aboveTo int            // the line after them
}

func (r *reader) syntax(err error) error {
	var pe *unstable.ParserError
	if !errors.As(err, &pe) {
		return Errorf(Pos{File: r.doc.File}, "%v", err)
	}
	return Errorf(r.pos(r.p.Range(pe.Highlight)), "%s", pe.Message)
}

func (r *reader) pos(rg unstable.Range) Pos { return r.doc.src.Pos(rg) }

func (r *reader) expression(n *unstable.Node) {
	switch n.Kind {
	case unstable.Comment:
		line := r.pos(n.Raw).Line
		if line != r.aboveTo {
			r.above = nil
		}
		r.above = append(r.above, uncomment(n))
		r.aboveTo = line + 1
	case unstable.Table, unstable.ArrayTable:
		p, pos := r.key(n, path{})
		r.prefix = path{r.numbered(p.key, n.Kind == unstable.ArrayTable), p.key}
		r.doc.Tables = append(r.doc.Tables, Entry{Key: p.key, Pos: pos, Val: pos, Kind: n.Kind,
			Comment: r.comment(n, pos), shown: p.key})
		r.doc.places = append(r.doc.places, r.doc.Tables[len(r.doc.Tables)-1])
		r.doc.places[len(r.doc.places)-1].Key = r.prefix.key
	case unstable.KeyValue:
		r.keyValue(n, r.prefix)
	}
}

func (r *reader) keyValue(n *unstable.Node, prefix path) {
	p, pos := r.key(n, prefix)
	v := n.Value()
	e := Entry{Key: p.key, Pos: pos, Val: pos, Kind: v.Kind, Comment: r.comment(n, pos), shown: p.shown,
		text: string(v.Data)}
	if v.Raw.Length > 0 {
		e.Val = r.pos(v.Raw)
	}
	switch v.Kind {
	case unstable.InlineTable:
		r.doc.Entries = append(r.doc.Entries, e)
		for it := v.Children(); it.Next(); {
			if c := it.Node(); c.Kind == unstable.KeyValue {
				r.keyValue(c, p)
			}
		}
		return
	case unstable.Array:
		at := len(r.doc.Entries)
		r.doc.Entries = append(r.doc.Entries, e)
		r.array(v, p, pos, &e)
		r.doc.Entries[at] = e
		return
	}
	r.doc.Entries = append(r.doc.Entries, e)
}

func (r *reader) array(v *unstable.Node, p path, pos Pos, e *Entry) {
	for it := v.Children(); it.Next(); {
		c := it.Node()
		if c.Kind == unstable.Comment {
			continue
		}
		if c.Kind == unstable.InlineTable {
			in := path{append(slices.Clone(p.key), strconv.Itoa(len(e.Elems))), p.shown}
			for m := c.Children(); m.Next(); {
				if kv := m.Node(); kv.Kind == unstable.KeyValue {
					r.keyValue(kv, in)
				}
			}
		}
		e.Elems = append(e.Elems, r.elem(c, pos))
	}
}

// numbered inserts the number of the current table after every part of a header that names an array of tables.
// opens begins a new table of the last array.
func (r *reader) numbered(key []string, opens bool) []string {
	var out []string
	for i, part := range key {
		out = append(out, part)
		path := strings.Join(out, ".")
		n, isArray := r.arrays[path]
		if opens && i == len(key)-1 {
			r.arrays[path] = n + 1
			return append(out, strconv.Itoa(n))
		}
		if isArray {
			out = append(out, strconv.Itoa(n-1))
		}
	}
	return out
}

func (r *reader) elem(n *unstable.Node, array Pos) Elem {
	if n.Raw.Length == 0 {
		return Elem{n.Kind, array, string(n.Data)}
	}
	return Elem{n.Kind, r.pos(n.Raw), string(n.Data)}
}

// path is a key, with and without the numbers of tables in arrays.
type path struct{ key, shown []string }

func (r *reader) key(n *unstable.Node, prefix path) (path, Pos) {
	p := path{slices.Clone(prefix.key), slices.Clone(prefix.shown)}
	var pos Pos
	for it := n.Key(); it.Next(); {
		k := it.Node()
		if pos.Line == 0 {
			pos = r.pos(k.Raw)
		}
		p.key = append(p.key, string(k.Data))
		p.shown = append(p.shown, string(k.Data))
	}
	return p, pos
}

func (r *reader) comment(n *unstable.Node, pos Pos) string {
	if c := n.Next(); c.Valid() && c.Kind == unstable.Comment {
		return uncomment(c)
	}
	if r.aboveTo == pos.Line {
		return strings.Join(r.above, " ")
	}
	return ""
}

func uncomment(n *unstable.Node) string {
	return strings.TrimSpace(strings.TrimLeft(string(n.Data), "#"))
}
