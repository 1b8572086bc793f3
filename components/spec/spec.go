// Package spec defines the error returned by the Specs of all packages for impossible values. It carries the key of
// the value, so that the reader of a configuration file can report the position.
package spec

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Error describes a value refused by a Spec.
type Error struct {
	Key   string // within the Spec, dot-separated, as in the toml tags
	Found string
	Want  string
	// Whole: Key is a key of the whole configuration, for example in another section.
	Whole bool
}

// Error describes the refused value in one line.
func (e *Error) Error() string {
	return fmt.Sprintf("%s: found %s, expected %s", e.Key, e.Found, e.Want)
}

// Elsewhere returns an Error about a value in another section of the configuration, named by its whole key.
func Elsewhere(key string, found any, want string, args ...any) *Error {
	e := Errorf(key, found, want, args...)
	e.Whole = true
	return e
}

// Errorf returns an Error with the value found and a description of the expected values.
func Errorf(key string, found any, want string, args ...any) *Error {
	return &Error{Key: key, Found: fmt.Sprint(found), Want: fmt.Sprintf(want, args...)}
}

// Bounds of sizes and times without a bound in hardware. They lie far beyond any real machine. Products of a few of
// them neither overflow nor exhaust memory.
const (
	MostQueue  = 1 << 16 // capacity of a queue, in messages
	MostCycles = 1 << 16 // a latency
	MostBytes  = 1 << 30 // the width of a path, or the size of a piece of memory
)

// InRange returns nil if low <= v <= high, else an *Error. cmp.Or selects the first error of several calls.
func InRange(key string, v, low, high int) error {
	if v < low || v > high {
		return Errorf(key, v, "%d to %d", low, high)
	}
	return nil
}

// OneOf returns nil if v is one of the values, else an *Error.
func OneOf(key, v string, values ...string) error {
	if slices.Contains(values, v) {
		return nil
	}
	last := len(values) - 1
	return Errorf(key, v, "%s or %s", strings.Join(values[:last], ", "), values[last])
}

// Within prefixes the key of an Error with the name of a section, turning the key of a nested Spec into the key of
// the outer Spec. Errors with whole keys and errors of other types stay as they are.
func Within(section string, err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Whole {
		return err
	}
	return &Error{Key: section + "." + e.Key, Found: e.Found, Want: e.Want}
}
