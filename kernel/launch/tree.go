package launch

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"kumiko/internal/tomldoc"
)

// value is a TOML value with its place. Tables keep the order of their keys.
type value struct {
	pos  tomldoc.Pos
	kind kind
	str  string // also the text of numbers
	i    int64
	f    float64
	b    bool
	list []*value
	keys []*entry
}

type entry struct {
	name string
	pos  tomldoc.Pos
	val  *value
}

type kind uint8

const (
	kindString kind = iota
	kindInt
	kindFloat
	kindBool
	kindList
	kindTable
	kindOther // dates
)

var kindNames = [...]string{"a string", "an integer", "a float", "a boolean", "a list", "a table", "a date"}

func (v *value) get(name string) *value {
	for _, e := range v.keys {
		if e.name == name {
			return e.val
		}
	}
	return nil
}

// parseTree reads a document. go-toml checks it as a whole first (duplicate
// keys, tables defined twice, malformed numbers), so what remains to be done
// here cannot fail.
func parseTree(file string, data []byte) (*value, error) {
	var all map[string]any
	if err := toml.Unmarshal(data, &all); err != nil {
		pos := tomldoc.Pos{File: file, Line: 1, Col: 1}
		var de *toml.DecodeError
		if errors.As(err, &de) {
			pos.Line, pos.Col = de.Position()
		}
		return nil, tomldoc.Errorf(pos, "%s", strings.TrimPrefix(err.Error(), "toml: "))
	}
	b := builder{file: file, data: data, root: &value{kind: kindTable, pos: tomldoc.Pos{File: file, Line: 1, Col: 1}}}
	b.p.KeepComments = true
	b.p.Reset(data)
	b.at = b.root
	for b.p.NextExpression() {
		n := b.p.Expression()
		switch n.Kind {
		case unstable.Table:
			b.at = b.table(n, false)
		case unstable.ArrayTable:
			b.at = b.table(n, true)
		case unstable.KeyValue:
			b.keyValue(b.at, n)
		}
	}
	if err := b.p.Error(); err != nil {
		return nil, tomldoc.Errorf(tomldoc.Pos{File: file, Line: 1, Col: 1}, "%v", err)
	}
	return b.root, nil
}

type builder struct {
	file string
	data []byte
	p    unstable.Parser
	root *value
	at   *value // the table that key-values go to
}

func (b *builder) pos(n *unstable.Node) tomldoc.Pos {
	s := b.p.Shape(n.Raw).Start
	return tomldoc.Pos{File: b.file, Line: s.Line, Col: s.Column}
}

// child is the table under a key, made where it is missing; in a list of
// tables the last one.
func (b *builder) child(at *value, name string, pos tomldoc.Pos) *value {
	v := at.get(name)
	if v == nil {
		v = &value{kind: kindTable, pos: pos}
		at.keys = append(at.keys, &entry{name, pos, v})
	}
	if v.kind == kindList && len(v.list) > 0 {
		v = v.list[len(v.list)-1]
	}
	return v
}

// table goes to the table of a header.
func (b *builder) table(n *unstable.Node, list bool) *value {
	at := b.root
	for it := n.Key(); it.Next(); {
		k := it.Node()
		name, pos := string(k.Data), b.pos(k)
		if !list || !it.IsLast() {
			at = b.child(at, name, pos)
			continue
		}
		v := at.get(name)
		if v == nil {
			v = &value{kind: kindList, pos: pos}
			at.keys = append(at.keys, &entry{name, pos, v})
		}
		at = &value{kind: kindTable, pos: pos}
		v.list = append(v.list, at)
	}
	return at
}

func (b *builder) keyValue(at *value, n *unstable.Node) {
	for it := n.Key(); it.Next(); {
		k := it.Node()
		name, pos := string(k.Data), b.pos(k)
		if !it.IsLast() {
			at = b.child(at, name, pos)
			continue
		}
		at.keys = append(at.keys, &entry{name, pos, b.value(n.Value(), pos)})
	}
}

// bracket is the place of the bracket that opens a list, which the parser does
// not tell, by that of the first element or comment in it: between them are only
// blanks and ends of lines. An empty list has the fallback's place.
func (b *builder) bracket(n *unstable.Node, fallback tomldoc.Pos) tomldoc.Pos {
	depth := 0
	for ; n.Kind == unstable.Array; depth++ {
		it := n.Children()
		if !it.Next() {
			return fallback
		}
		n = it.Node()
	}
	if n.Raw.Length == 0 {
		return fallback
	}
	at := int(n.Raw.Offset)
	for ; depth > 0 && at > 0; depth-- {
		if at = bytes.LastIndexByte(b.data[:at], '['); at < 0 {
			return fallback
		}
	}
	s := b.p.Shape(unstable.Range{Offset: uint32(at), Length: 1}).Start
	return tomldoc.Pos{File: b.file, Line: s.Line, Col: s.Column}
}

// value converts a node; fallback is its place where it has none of its own.
func (b *builder) value(n *unstable.Node, fallback tomldoc.Pos) *value {
	v := &value{pos: fallback, str: string(n.Data)}
	if n.Raw.Length > 0 {
		v.pos = b.pos(n)
	}
	text := strings.ReplaceAll(v.str, "_", "")
	switch n.Kind {
	case unstable.String:
		v.kind = kindString
	case unstable.Integer:
		v.kind = kindInt
		v.i, _ = strconv.ParseInt(text, 0, 64)
		v.f = float64(v.i)
	case unstable.Float:
		v.kind = kindFloat
		v.f, _ = strconv.ParseFloat(text, 64)
	case unstable.Bool:
		v.kind = kindBool
		v.b = v.str == "true"
	case unstable.Array:
		v.kind = kindList
		v.pos = b.bracket(n, fallback)
		near := v.pos
		for it := n.Children(); it.Next(); {
			if c := it.Node(); c.Kind != unstable.Comment {
				v.list = append(v.list, b.value(c, near))
				near = v.list[len(v.list)-1].pos
			}
		}
	case unstable.InlineTable:
		v.kind = kindTable
		for it := n.Children(); it.Next(); {
			if c := it.Node(); c.Kind == unstable.KeyValue {
				b.keyValue(v, c)
			}
		}
		if n.Raw.Length == 0 && len(v.keys) > 0 {
			v.pos = v.keys[0].pos
		}
	default:
		v.kind = kindOther
	}
	return v
}
