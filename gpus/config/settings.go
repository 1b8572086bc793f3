package config

import (
	"errors"
	"strconv"
	"strings"

	"kumiko/components/spec"
	"kumiko/internal/tomldoc"
)

// setLayer is the layer of one "key=value" from a command line. It is the same
// as that line in a file, except that a string needs no quotes.
func setLayer(s string) (layer, error) {
	where := tomldoc.Pos{File: "--set " + s}
	key, value, ok := strings.Cut(s, "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if !ok || key == "" || value == "" {
		return layer{}, tomldoc.Errorf(where, "expected key=value")
	}
	if key == "base" || key == "doc" {
		return layer{}, tomldoc.Errorf(where,
			"%s: a file says that of itself; expected a GPU with --gpu, and settings of it", key)
	}
	e := tomldoc.Entry{Key: canonical(strings.Split(key, ".")), Pos: where}
	key = e.Path()
	n, wrong := schema().Find(&e)
	if wrong != nil {
		return layer{}, inWords(wrong)
	}
	if !n.Leaf() && !strings.ContainsAny(value[:1], "{[") {
		return layer{}, tomldoc.Errorf(where, "%s is a table; expected one of its keys: %s", key,
			strings.Join(n.Keys, ", "))
	}
	if n.Noun() == "string" && !strings.ContainsAny(value[:1], `"'`) {
		value = strconv.Quote(value)
	}
	data := []byte(key + " = " + value + "\n")
	doc, err := tomldoc.Parse(where.File, data)
	if err != nil || strings.ContainsRune(value, '\n') || doc.Entries[0].Path() != key {
		return layer{}, tomldoc.Errorf(where, "%s: found %s, expected %s", key, value, tomldoc.Article(n.Noun()))
	}
	for i := range doc.Entries {
		e := &doc.Entries[i]
		e.Pos, e.Val, e.Comment = where, where, "set by the user"
		for j := range e.Elems {
			e.Elems[j].Pos = where
		}
	}
	if errs := check(doc); len(errs) > 0 {
		return layer{}, errors.Join(errs...)
	}
	return layer{doc: doc, data: data}, nil
}

// Locate puts the places before the errors of sections (*spec.Error with whole keys)
// that no machine could be built of: where the offending key was set, or as near as
// the user came to it.
func (c *Config) Locate(err error) error { return locate(err, c.layers) }

// locate puts the places before the errors of sections: where the offending
// key was set or, when that is in a built-in file, the user's last line in the
// same section, which must have made it impossible.
func locate(err error, layers []layer) error {
	all := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all = joined.Unwrap()
	}
	var out []error
	for _, e := range all {
		var se *spec.Error
		if errors.As(e, &se) {
			out = append(out, &tomldoc.Error{Pos: placeOf(se.Key, layers), Msg: se.Error()})
		} else {
			out = append(out, e)
		}
	}
	if len(out) == 1 {
		return out[0]
	}
	return errors.Join(out...)
}

func placeOf(key string, layers []layer) tomldoc.Pos {
	section, _, _ := strings.Cut(key, ".")
	tests := []func(l *layer, path string) bool{
		func(l *layer, path string) bool { return !l.builtin && within(path, key) },
		func(l *layer, path string) bool { return !l.builtin && within(path, section) },
		func(l *layer, path string) bool { return !l.builtin && path != "base" && path != "doc" },
		func(l *layer, path string) bool { return within(path, key) },
	}
	for _, test := range tests {
		for i := len(layers) - 1; i >= 0; i-- {
			l := &layers[i]
			for j := len(l.doc.Entries) - 1; j >= 0; j-- {
				if e := &l.doc.Entries[j]; test(l, e.Path()) {
					return e.Pos
				}
			}
		}
	}
	return tomldoc.Pos{File: layers[len(layers)-1].doc.File}
}

func within(path, key string) bool {
	return path == key || strings.HasPrefix(path, key+".")
}
