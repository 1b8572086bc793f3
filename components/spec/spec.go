// Package spec is the error by which the Specs of all packages refuse values
// that no hardware could have, so that whoever read the values from a file can
// say where they stand.
package spec

import "fmt"

// Error is a value that a Spec refuses.
type Error struct {
	Key   string // within the Spec, dot-separated, as in the toml tags
	Found string
	Want  string
	// Whole: Key is that of the whole configuration, such as of another section.
	Whole bool
}

// Error is the value in one line.
func (e *Error) Error() string {
	return fmt.Sprintf("%s: found %s, expected %s", e.Key, e.Found, e.Want)
}

// Elsewhere is an Error about a value of another section of the configuration, by its whole
// key.
func Elsewhere(key string, found any, want string, args ...any) *Error {
	e := Errorf(key, found, want, args...)
	e.Whole = true
	return e
}

// Errorf makes an Error of a value and what was expected in its place.
func Errorf(key string, found any, want string, args ...any) *Error {
	return &Error{Key: key, Found: fmt.Sprint(found), Want: fmt.Sprintf(want, args...)}
}
