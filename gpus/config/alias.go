package config

import (
	"maps"

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

// canonical returns the key itself, or the full key of an alias. A section regfile.FORMER has the kind's present name.
func canonical(key []string) []string {
	if k, setting, ok := alias(key); ok {
		return []string{key[0], k, setting}
	}
	if len(key) > 1 && key[0] == "regfile" {
		key[1] = regfile.Present(key[1])
	}
	return key
}

// canonicalise replaces the aliases in a document by their full keys, so that errors and origins name the full
// keys.
func canonicalise(d *tomldoc.Doc) {
	for i := range d.Entries {
		d.Entries[i].Key = canonical(d.Entries[i].Key)
	}
	for i := range d.Tables {
		d.Tables[i].Key = canonical(d.Tables[i].Key)
	}
}

// resolve moves the values of aliases in a decoded section regfile to their full keys, and the sections of former
// names to the present ones.
func resolve(section map[string]any) {
	for name, v := range section {
		if now := regfile.Present(name); now != name {
			delete(section, name)
			section[now] = merged(section[now], v)
		}
	}
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

// merged returns the settings of a section that a file has under its present and its former name. The present name
// decides where both have a setting.
func merged(now, former any) any {
	a, ok := now.(map[string]any)
	b, also := former.(map[string]any)
	if !ok || !also {
		return former
	}
	maps.Copy(b, a)
	return b
}
