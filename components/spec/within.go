package spec

import "errors"

// Within puts the section name before the key of an Error that a nested Spec
// returned, so that the key is that of the outer one. Other errors stay, and
// those with whole keys.
func Within(section string, err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Whole {
		return err
	}
	return &Error{Key: section + "." + e.Key, Found: e.Found, Want: e.Want}
}
