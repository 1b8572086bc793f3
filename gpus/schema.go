package gpus

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"kumiko/internal/tomldoc"
)

// node is one key of the configuration as its Go type declares it: a table of
// known keys, a table of any keys (dict), an array of tables (list), or a value.
type node struct {
	typ   reflect.Type
	unit  string
	doc   string
	when  []condition // of its having an effect
	keys  []string    // table: in declaration order
	table map[string]*node
	dict  *node // element of a table of any keys
	list  *node // element of an array of tables
}

// schemaOf is the tree of keys of a struct type, by its toml tags.
func schemaOf(t reflect.Type) *node {
	n := &node{typ: t}
	switch {
	case t.Kind() == reflect.Struct:
		n.table = map[string]*node{}
		n.addFields(t)
	case t.Kind() == reflect.Map:
		n.dict = schemaOf(t.Elem())
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		n.list = schemaOf(t.Elem())
	}
	return n
}

func (n *node) addFields(t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, ok := f.Tag.Lookup("toml")
		switch {
		case f.Anonymous && !ok:
			n.addFields(f.Type)
		case tag == "-" || !f.IsExported():
		default:
			c := schemaOf(f.Type)
			c.unit, c.doc, c.when = f.Tag.Get("unit"), f.Tag.Get("doc"), conditionsOf(f.Tag.Get("when"))
			if c.dict != nil {
				c.dict.unit, c.dict.doc = c.unit, c.doc
			}
			n.keys = append(n.keys, tag)
			n.table[tag] = c
		}
	}
}

func (n *node) leaf() bool { return n.table == nil && n.dict == nil && n.list == nil }

// child is the node of the next part of a key, or nil.
func (n *node) child(part string) *node {
	switch {
	case n.dict != nil:
		return n.dict
	case n.list != nil:
		return n.list // part is the number of the table
	}
	return n.table[part]
}

// typeName is what a user is told that a value must be.
func (n *node) typeName() string {
	if n.list != nil {
		return "array of tables"
	}
	if !n.leaf() {
		return "table"
	}
	if n.typ.Kind() == reflect.Slice || n.typ.Kind() == reflect.Array {
		return "array of " + scalarName(n.typ.Elem()) + "s"
	}
	return scalarName(n.typ)
}

func scalarName(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.String:
		return "string"
	case t.Kind() == reflect.Bool:
		return "boolean"
	case t.Kind() == reflect.Float64 || t.Kind() == reflect.Float32:
		return "number"
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64:
		return "integer"
	}
	panic(fmt.Sprintf("gpus: no configuration value can be a %s", t))
}

func accepts(t reflect.Type, k tomldoc.Kind) bool {
	switch scalarName(t) {
	case "string":
		return k == unstable.String
	case "boolean":
		return k == unstable.Bool
	case "number":
		return k == unstable.Float || k == unstable.Integer
	}
	return k == unstable.Integer
}

func kindName(k tomldoc.Kind) string {
	switch k {
	case unstable.Bool:
		return "boolean"
	case unstable.Float:
		return "number with a fraction"
	case unstable.InlineTable, unstable.Table:
		return "table"
	}
	return strings.ToLower(k.String())
}

func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// check lists what is wrong with the keys and types of a document.
func (n *node) check(d *tomldoc.Doc) []error {
	var errs []error
	for i := range d.Tables {
		t := &d.Tables[i]
		if c, err := n.find(t); err != nil {
			errs = append(errs, err)
		} else if c.leaf() || (c.list != nil) != (t.Kind == unstable.ArrayTable) {
			errs = append(errs, tomldoc.Errorf(t.Pos, "%s: found %s, expected %s", t.Path(), tableName(t), article(c.typeName())))
		}
	}
	if len(errs) > 0 {
		return errs // every key below such a table would be wrong again
	}
	for i := range d.Entries {
		e := &d.Entries[i]
		c, err := n.find(e)
		if err == nil {
			err = c.checkValue(e)
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

func tableName(t *tomldoc.Entry) string {
	if t.Kind == unstable.ArrayTable {
		return "an array of tables"
	}
	return "a table"
}

func (n *node) find(e *tomldoc.Entry) (*node, error) {
	for i, part := range e.Key {
		c := n.child(part)
		if c == nil {
			known := strings.Join(e.Key[:i], ".")
			if n.leaf() {
				return nil, tomldoc.Errorf(e.Pos, "%s: %s is %s and has no keys", e.Path(), known, article(n.typeName()))
			}
			return nil, tomldoc.Errorf(e.Pos, "unknown key %s%s", e.Path(), suggestion(known, part, n.keys))
		}
		n = c
	}
	return n, nil
}

func (n *node) checkValue(e *tomldoc.Entry) error {
	want := article(n.typeName())
	if n.list != nil {
		for i, el := range e.Elems {
			if el.Kind != unstable.InlineTable {
				return tomldoc.Errorf(el.Pos, "%s: found %s as element %d, expected %s", e.Path(), article(kindName(el.Kind)), i+1, want)
			}
		}
	}
	if !n.leaf() {
		if e.Kind == unstable.InlineTable && n.list == nil || e.Kind == unstable.Array && n.list != nil {
			return nil
		}
		return tomldoc.Errorf(e.Val, "%s: found %s, expected %s", e.Path(), article(kindName(e.Kind)), want)
	}
	if n.typ.Kind() != reflect.Slice {
		if !accepts(n.typ, e.Kind) {
			return tomldoc.Errorf(e.Val, "%s: found %s, expected %s", e.Path(), article(kindName(e.Kind)), want)
		}
		return nil
	}
	if e.Kind != unstable.Array {
		return tomldoc.Errorf(e.Val, "%s: found %s, expected %s", e.Path(), article(kindName(e.Kind)), want)
	}
	for i, el := range e.Elems {
		if !accepts(n.typ.Elem(), el.Kind) {
			return tomldoc.Errorf(el.Pos, "%s: found %s as element %d, expected %s", e.Path(), article(kindName(el.Kind)), i+1, want)
		}
	}
	return nil
}
