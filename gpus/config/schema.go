package config

import (
	"slices"
	"strings"

	"kumiko/internal/tomldoc"
	"kumiko/regfile"
)

// node is one key of the configuration as its Go type declares it.
type node = tomldoc.Shape

// check returns the mistakes in the keys and types of a document.
func check(d *tomldoc.Doc) (errs []error) {
	for _, m := range schema().Check(d) {
		errs = append(errs, inWords(&m))
	}
	return errs
}

// inWords returns a mistake as an error message for users.
func inWords(m *tomldoc.Mistake) error {
	path, known, want := m.Entry.Path(), strings.Join(m.Entry.Key[:m.Known], "."), tomldoc.Article(m.At.Noun())
	switch {
	case m.Elem > 0:
		return tomldoc.Errorf(m.Pos, "%s: found %s as element %d, expected %s", path, m.Found, m.Elem, want)
	case m.Found != "":
		return tomldoc.Errorf(m.Pos, "%s: found %s, expected %s", path, m.Found, want)
	case m.At.Table == nil:
		return tomldoc.Errorf(m.Pos, "%s: %s is %s and has no keys", path, known, want)
	}
	if meant := m.Intended(); meant != nil {
		return tomldoc.Errorf(m.Pos, "unknown key %s; did you mean %s?", path,
			strings.Join(slices.Concat(m.Entry.Key[:m.Known], meant), "."))
	}
	return tomldoc.Errorf(m.Pos, "unknown key %s; expected one of %s", path, strings.Join(m.At.Keys, ", "))
}

// JSONSchema returns the JSON schema of a GPU file (tomldoc.Shape.JSONSchema), with the aliases of settings.
func JSONSchema() map[string]any {
	m := schema().JSONSchema()
	file := schema().Table["regfile"]
	sections := m["properties"].(map[string]any)["regfile"].(map[string]any)["properties"].(map[string]any)
	for _, name := range regfile.Names() {
		for short, setting := range kind(name).Aliases {
			sections[short] = file.Table[name].Table[setting].JSONSchema()
		}
	}
	m["$schema"], m["title"] = tomldoc.Draft, "GPU of Kumiko"
	return m
}
