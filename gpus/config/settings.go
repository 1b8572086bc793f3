package config

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"kumiko/components/spec"
	"kumiko/internal/tomldoc"
)

// setLayer returns the layer of one "key=value" from a command line. The syntax is the same as in a file, except
// that a string needs no quotes.
func setLayer(s string) (layer, error) {
	where := tomldoc.Pos{File: "--set " + s}
	key, value, ok := strings.Cut(s, "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if !ok || key == "" || value == "" {
		return layer{}, tomldoc.Errorf(where, "expected key=value")
	}
	if ofHeader(key) {
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
	return layer{doc: doc}, tomldoc.Decode(where.File, data, &struct{}{}) // a key may be set twice in a table
}

// Locate adds places to errors found while building the machine (*spec.Error with whole keys). The place is where
// the offending key was set, or the nearest setting of the user.
func (c *Config) Locate(err error) error { return locate(err, c.layers) }

// locate adds places to the errors of sections. The place is where the offending key was set. For a key set in a
// built-in file it is, as far as can be determined, the user's setting that made the value impossible.
func locate(err error, layers []layer) error {
	all := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all = joined.Unwrap()
	}
	var out []error
	for _, e := range all {
		var se *spec.Error
		if errors.As(e, &se) {
			pos, inherited := placeOf(se, layers)
			out = append(out, &tomldoc.Error{Pos: pos, Msg: se.Error() + hint(se) + inherited, Err: se})
		} else {
			out = append(out, e)
		}
	}
	if len(out) == 1 {
		return out[0]
	}
	return errors.Join(out...)
}

// placeOf returns the place of the user's mistake. If the user has not set the key, this is the user's setting of a
// key mentioned in the message, or the only setting in the section, or else the whole file. inherited then names
// the origin of the value.
func placeOf(se *spec.Error, layers []layer) (at tomldoc.Pos, inherited string) {
	section, _, _ := strings.Cut(se.Key, ".")
	key := func(l *layer, path string) bool { return !l.builtin && covers(path, se.Key) }
	if e := lastEntry(layers, key); e != nil {
		return e.Pos, ""
	}
	own := lastEntry(layers, func(l *layer, path string) bool { return covers(path, se.Key) })
	if own != nil {
		inherited = "; " + own.Pos.String() + " sets it"
	}
	set := func(l *layer, path string) bool { return !l.builtin && !ofHeader(path) }
	same := func(l *layer, path string) bool { return set(l, path) && covers(path, section) }
	named := func(path string) bool { return speaksOf(se.Want, path) }
	for _, test := range []func(l *layer, path string) bool{
		func(l *layer, path string) bool { return same(l, path) && named(path) },
		func(l *layer, path string) bool { return set(l, path) && named(path) },
	} {
		if e := lastEntry(layers, test); e != nil {
			return e.Pos, inherited
		}
	}
	for _, test := range []func(l *layer, path string) bool{same, set} {
		switch e := lastEntry(layers, test); countEntries(layers, test) {
		case 0:
		case 1:
			return e.Pos, inherited
		default:
			return tomldoc.Pos{File: e.Pos.File}, inherited
		}
	}
	if own != nil {
		return own.Pos, ""
	}
	last := len(layers) - 1
	for last > 0 && layers[last].base {
		last--
	}
	return tomldoc.Pos{File: layers[last].doc.File}, ""
}

// speaksOf reports whether a text contains the last part of a key as a word.
func speaksOf(text, key string) bool {
	last := key[strings.LastIndexByte(key, '.')+1:]
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), last)
}

// lastEntry returns the last entry in the layers for which test holds, or nil.
func lastEntry(layers []layer, test func(l *layer, path string) bool) *tomldoc.Entry {
	for i := len(layers) - 1; i >= 0; i-- {
		l := &layers[i]
		for j := len(l.doc.Entries) - 1; j >= 0; j-- {
			if e := &l.doc.Entries[j]; test(l, e.Path()) {
				return e
			}
		}
	}
	return nil
}

// countEntries counts the entries in the layers for which test holds.
func countEntries(layers []layer, test func(l *layer, path string) bool) (n int) {
	for i := range layers {
		for j := range layers[i].doc.Entries {
			if test(&layers[i], layers[i].doc.Entries[j].Path()) {
				n++
			}
		}
	}
	return n
}

func covers(path, key string) bool {
	return path == key || strings.HasPrefix(path, key+".")
}
