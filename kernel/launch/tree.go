package launch

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"kumiko/internal/tomldoc"
)

// place is the place of a key or a value for messages: its position, and the key. Elements of lists have the key of
// their list.
type place struct {
	pos tomldoc.Pos
	key []string
}

// prefix returns the beginning of a message, with the key. It is empty for the whole document, which has no key.
func (p place) prefix() string {
	if len(p.key) == 0 {
		return ""
	}
	return tomldoc.Dotted(p.key...) + ": "
}

// wrap puts place and key before an error.
func (p place) wrap(err error) error { return fmt.Errorf("%s: %s%w", p.pos, p.prefix(), err) }

// value is a TOML value with its place. Tables keep the order of their keys.
type value struct {
	place
	kind kind
	str  string // also the text of numbers
	i    int64
	f    float64
	b    bool
	list []*value
	keys []*entry
}

type entry struct {
	place
	name string
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

// unfilled returns the error of a document, in words if it is at a question mark, which kumiko new launch leaves in the
// place of a value.
func unfilled(err error, data []byte) error {
	var at *tomldoc.Error
	if !errors.As(err, &at) {
		return err
	}
	lines := bytes.Split(data, []byte("\n"))
	if n := at.Pos.Line - 1; n < 0 || n >= len(lines) || at.Pos.Col < 1 || at.Pos.Col > len(lines[n]) ||
		lines[n][at.Pos.Col-1] != '?' {
		return err
	}
	return tomldoc.Errorf(at.Pos, "found a question mark, expected a value; remedy: fill in all that kumiko new "+
		"launch has left open")
}

// parseTree reads a document. go-toml first checks it as a whole (duplicate keys, tables defined twice, malformed
// numbers), so the rest here cannot fail.
func parseTree(file string, data []byte) (*value, error) {
	src, err := tomldoc.NewSource(file, data)
	if err != nil {
		return nil, err
	}
	var all map[string]any
	if err := tomldoc.Decode(file, data, &all); err != nil {
		return nil, unfilled(err, data)
	}
	b := builder{src: src, data: data, root: &value{place: place{pos: src.At(0)}, kind: kindTable}}
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
		return nil, tomldoc.Errorf(src.At(0), "%v", err)
	}
	return b.root, nil
}

type builder struct {
	src  *tomldoc.Source
	data []byte
	p    unstable.Parser
	root *value
	at   *value // the table of the next key-values
}

// place returns the place of a part of a key in a table.
func (b *builder) place(at *value, k *unstable.Node) place {
	return place{b.src.Pos(k.Raw), append(at.key[:len(at.key):len(at.key)], string(k.Data))}
}

// child returns the table under a key, after creating it if it is missing. In a list of tables it is the last one.
func (b *builder) child(at *value, p place) *value {
	name := p.key[len(p.key)-1]
	v := at.get(name)
	if v == nil {
		v = &value{place: p, kind: kindTable}
		at.keys = append(at.keys, &entry{p, name, v})
	}
	if v.kind == kindList && len(v.list) > 0 {
		v = v.list[len(v.list)-1]
	}
	return v
}

// table returns the table of a header.
func (b *builder) table(n *unstable.Node, list bool) *value {
	at := b.root
	for it := n.Key(); it.Next(); {
		p := b.place(at, it.Node())
		if !list || !it.IsLast() {
			at = b.child(at, p)
			continue
		}
		name := p.key[len(p.key)-1]
		v := at.get(name)
		if v == nil {
			v = &value{place: p, kind: kindList}
			at.keys = append(at.keys, &entry{p, name, v})
		}
		at = &value{place: p, kind: kindTable}
		v.list = append(v.list, at)
	}
	return at
}

func (b *builder) keyValue(at *value, n *unstable.Node) {
	for it := n.Key(); it.Next(); {
		p := b.place(at, it.Node())
		if !it.IsLast() {
			at = b.child(at, p)
			continue
		}
		at.keys = append(at.keys, &entry{p, p.key[len(p.key)-1], b.value(n.Value(), p)})
	}
}

// bracket returns the place of a list's opening bracket. The parser does not report it, so it is found from the
// first element or comment: only blanks and ends of lines are between them. An empty list has the fallback's place.
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
	return b.src.At(at)
}

// value converts a node. Without a position of its own, the value gets place p.
func (b *builder) value(n *unstable.Node, p place) *value {
	v := &value{place: p, str: string(n.Data)}
	if n.Raw.Length > 0 {
		v.pos = b.src.Pos(n.Raw)
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
		v.pos = b.bracket(n, p.pos)
		near := v.place
		for it := n.Children(); it.Next(); {
			if c := it.Node(); c.Kind != unstable.Comment {
				e := b.value(c, near)
				v.list = append(v.list, e)
				near.pos = e.pos
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
