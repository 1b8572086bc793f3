package config

import (
	"errors"
	"regexp"
	"strings"

	"kumiko/components/spec"
	"kumiko/internal/nearest"
	"kumiko/regfile"
)

// Choices lists the valid values of a setting that accepts a few words, in the machine requested. It returns nil
// for a setting of another kind, for an unknown key, and for a request that is no machine.
func Choices(r Request, key string) []string {
	key = strings.Join(canonical(strings.Split(key, ".")), ".")
	switch key { // a wrong kind has no settings to be checked
	case kindKey:
		return regfile.Names()
	case residencyKey:
		return Residencies()
	}
	c, err := Load(r)
	if err != nil {
		return nil
	}
	l, err := setLayer(key + "=" + noChoice)
	if err != nil || c.apply(&l) != nil {
		return nil
	}
	all := []error{c.reconcile()}
	if joined, ok := all[0].(interface{ Unwrap() []error }); ok {
		all = joined.Unwrap()
	}
	for _, err := range all {
		var e *spec.Error
		if errors.As(err, &e) && e.Key == key {
			return listed(e)
		}
	}
	return nil
}

// noChoice is a text that is no valid value of any setting.
const noChoice = `"?"`

// list is how an error lists the valid values of a setting.
var list = regexp.MustCompile(`^([a-z0-9_-]+, )*[a-z0-9_-]+ or [a-z0-9_-]+$`)

// listed returns the valid values listed in an error; nil: it lists none.
func listed(e *spec.Error) []string {
	if !list.MatchString(e.Want) {
		return nil
	}
	return strings.Split(strings.Replace(e.Want, " or ", ", ", 1), ", ")
}

// hint names the valid value that was probably meant.
func hint(e *spec.Error) string { return nearest.Hint(e.Found, listed(e)) }
