package config

import (
	"kumiko/internal/tomldoc"
	"kumiko/regfile"
)

// alias gives the setting for which a key directly in the section regfile stands:
// the kind and the setting's name there. ok is false where the key has no other
// name.
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

// canonical is the name of a key that has no other.
func canonical(key []string) []string {
	if k, setting, ok := alias(key); ok {
		return []string{key[0], k, setting}
	}
	return key
}

// canonicalise gives every entry of a document its key's own name, so that errors
// and origins name that.
func canonicalise(d *tomldoc.Doc) {
	for i := range d.Entries {
		d.Entries[i].Key = canonical(d.Entries[i].Key)
	}
}

// resolve moves the values of aliases in a decoded section regfile to where they
// belong.
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
