package gpus

import (
	"slices"

	"kumiko/internal/tomldoc"
)

// alias is a second name for a key: Key stands for To. Both are under regfile,
// where To has one part more, the kind's name.
type alias struct{ Key, To []string }

// aliases are the names that the command line has kept.
var aliases = []alias{
	{[]string{"regfile", "threshold"}, []string{"regfile", "sharing", "threshold"}},
}

// canonical is the name of a key that has no other.
func canonical(key []string) []string {
	for _, a := range aliases {
		if slices.Equal(key, a.Key) {
			return a.To
		}
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
	for _, a := range aliases {
		v, ok := section[a.Key[1]]
		if !ok {
			continue
		}
		delete(section, a.Key[1])
		own, ok := section[a.To[1]].(map[string]any)
		if !ok {
			own = map[string]any{}
			section[a.To[1]] = own
		}
		own[a.To[2]] = v
	}
}
