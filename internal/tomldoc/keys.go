package tomldoc

import (
	"bytes"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"kumiko/internal/excerpt"
)

// Limits of the keys in a document. The decoder compares each key with all others in the same table.
const (
	maxKeys  = 10_000 // in a table
	maxParts = 100    // of a key, the tables around it included
)

// keyCounter counts the keys of every table. Tables are numbered. The whole document is table 0.
type keyCounter struct {
	p    unstable.Parser
	src  *Source
	keys []int            // by table
	sub  map[subtable]int // number of the node named by a key of a table
	last map[int]int      // number of the last table of an array of tables
}

type subtable struct {
	table int
	name  string
}

// checkKeys refuses a document with too many keys in one table, with too many parts in one key, or with U+0000 in a
// string. It checks nothing else.
func checkKeys(s *Source) error {
	c := &keyCounter{src: s, keys: []int{0}, sub: map[subtable]int{}, last: map[int]int{}}
	c.p.Reset(s.data)
	table, depth := 0, 0
	for c.p.NextExpression() {
		n := c.p.Expression()
		var err error
		switch n.Kind {
		case unstable.Table:
			table, depth, err = c.key(0, 0, n)
		case unstable.ArrayTable:
			table, depth, err = c.key(0, 0, n)
			c.last[table] = c.anonymous()
			table = c.last[table]
		case unstable.KeyValue:
			err = c.keyValue(table, depth, n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *keyCounter) anonymous() int {
	c.keys = append(c.keys, 0)
	return len(c.keys) - 1
}

func (c *keyCounter) keyValue(table, depth int, n *unstable.Node) error {
	table, depth, err := c.key(table, depth, n)
	if err != nil {
		return err
	}
	return c.value(table, depth, n.Value())
}

// value counts the keys of inline tables. It refuses strings with U+0000, since no file name can contain it.
func (c *keyCounter) value(table, depth int, v *unstable.Node) error {
	if v.Kind == unstable.String && bytes.IndexByte(v.Data, 0) >= 0 {
		return Errorf(c.src.Pos(v.Raw), "found the character U+0000 in a string, expected none")
	}
	if v.Kind != unstable.InlineTable && v.Kind != unstable.Array {
		return nil
	}
	for it := v.Children(); it.Next(); {
		var err error
		switch m := it.Node(); {
		case m.Kind == unstable.KeyValue:
			err = c.keyValue(table, depth, m)
		case m.Kind == unstable.InlineTable:
			err = c.value(c.anonymous(), depth, m)
		default:
			err = c.value(table, depth, m)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// key counts one key, possibly dotted. Tables implied by a dotted key are created. It returns the number of the
// node named by the key, and the node's depth.
func (c *keyCounter) key(table, depth int, n *unstable.Node) (int, int, error) {
	for it := n.Key(); it.Next(); {
		k := it.Node()
		if depth++; depth > maxParts {
			return 0, 0, Errorf(c.src.Pos(k.Raw), "found a key of more than %d parts, expected fewer", maxParts)
		}
		if l, ok := c.last[table]; ok {
			table = l
		}
		at := subtable{table, string(k.Data)}
		id, ok := c.sub[at]
		if !ok {
			if c.keys[table]++; c.keys[table] > maxKeys {
				return 0, 0, Errorf(c.src.Pos(k.Raw), "found %s as key %d of its table, expected at most %d",
					Dotted(at.name), c.keys[table], maxKeys)
			}
			id = c.anonymous()
			c.sub[at] = id
		}
		table = id
	}
	return table, depth, nil
}

// Dotted returns a key for messages: parts in quotation marks where necessary, and long parts cut.
func Dotted(parts ...string) string {
	out := make([]string, len(parts))
	for i, p := range parts {
		if out[i] = excerpt.Of(p); !bare(p) {
			out[i] = excerpt.Quote(p)
		}
	}
	return strings.Join(out, ".")
}

// bare reports whether a part of a key needs no quotation marks.
func bare(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return s != ""
}
