package config

import (
	"maps"
	"slices"
	"strings"

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

// canonical returns the key itself, or the full key of an alias, so that errors and origins name the full keys. A
// section regfile.FORMER has the kind's present name.
func canonical(key []string) []string {
	if k, setting, ok := alias(key); ok {
		return []string{key[0], k, setting}
	}
	if len(key) > 1 && key[0] == "regfile" {
		key[1] = regfile.Present(key[1])
	}
	return key
}

// AliasOf returns the alias of a setting of a register file, regfile.threshold for regfile.sharing.threshold, or "" if
// the setting has none.
func AliasOf(key string) string {
	name, setting, _ := strings.Cut(strings.TrimPrefix(key, "regfile."), ".")
	if !slices.Contains(regfile.Names(), name) {
		return ""
	}
	aliases := kind(name).Aliases
	for _, short := range slices.Sorted(maps.Keys(aliases)) {
		if aliases[short] == setting {
			return "regfile." + short
		}
	}
	return ""
}
