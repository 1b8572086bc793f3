package config

import (
	"kumiko/internal/tomldoc"
	"kumiko/regfile"
)

// alias resolves an alias, a key directly in the section regfile: it returns the kind and the kind's setting.
// ok is false if the key is no alias.
func alias(key []string) (kindName, setting string, ok bool) {
	if len(key) != 2 || key[0] != "regfile" {
		return "", "", false
	}
	for _, name := range regfile.Names() {
		if to, is := kind(name).Aliases[key[1]]; is {
			return name, to, true
		}
	}
	return "", "", false
}

// canonical returns the key itself, or the full key of an alias.
func canonical(key []string) []string {
	if k, setting, ok := alias(key); ok {
		return []string{key[0], k, setting}
	}
	return key
}

// canonicalise replaces the aliases in a document by their full keys, so that errors and origins name the full
// keys.
func canonicalise(d *tomldoc.Doc) {
	for i := range d.Entries {
		d.Entries[i].Key = canonical(d.Entries[i].Key)
	}
}

// resolve moves the values of aliases in a decoded section regfile to their full keys.
func resolve(section map[string]any) {
	for name, v := range section {
		k, setting, ok := alias([]string{"regfile", name})
		if !ok {
			continue
		}
		delete(section, name)
		own, ok := section[k].(map[string]any)
		if !ok {
			own = map[string]any{}
			section[k] = own
		}
		own[setting] = v
	}
}
