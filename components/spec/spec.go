// Package spec is the error by which the Specs of all packages refuse values
// that no hardware could have, so that whoever read the values from a file can
// say where they stand.
package spec

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

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

// Bounds of sizes and times without a bound in hardware. They lie far beyond any machine that is
// built. A product of a few of them neither overflows nor takes all memory.
const (
	MostQueue  = 1 << 16 // messages that a queue holds
	MostCycles = 1 << 16 // a latency
	MostBytes  = 1 << 30 // the width of a path, or the size of a piece of memory
)

// InRange is an *Error unless low <= v <= high. Of several, cmp.Or is the first.
func InRange(key string, v, low, high int) error {
	if v < low || v > high {
		return Errorf(key, v, "%d to %d", low, high)
	}
	return nil
}

// OneOf is an *Error unless v is one of the values.
func OneOf(key, v string, values ...string) error {
	if slices.Contains(values, v) {
		return nil
	}
	last := len(values) - 1
	return Errorf(key, v, "%s or %s", strings.Join(values[:last], ", "), values[last])
}

// Within puts the name of a section before the key of an Error. An Error of a nested Spec then has
// its key in the outer Spec. Errors with whole keys and errors of other types stay as they are.
func Within(section string, err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Whole {
		return err
	}
	return &Error{Key: section + "." + e.Key, Found: e.Found, Want: e.Want}
}
