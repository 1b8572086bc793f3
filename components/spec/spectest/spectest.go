// Package spectest tests the Check methods of Specs: the accepted values, the refused values, and the key named by
// a refusal.
package spectest

import (
	"errors"
	"testing"

	"kumiko/components/spec"
)

// Spec is a kind of Spec under test.
type Spec[S any] struct {
	t     *testing.T
	sound func() S
	check func(*S) error
}

// Of returns a test of the Spec type S and its method check. It fails the test if check refuses the Spec returned
// by sound.
func Of[S any](t *testing.T, sound func() S, check func(*S) error) *Spec[S] {
	t.Helper()
	s := sound()
	if err := check(&s); err != nil {
		t.Fatalf("a sound spec: %v", err)
	}
	return &Spec[S]{t, sound, check}
}

// Within tests the bounds of the setting key: least and most are accepted, least-1 and most+1 refused.
func (x *Spec[S]) Within(key string, least, most int, set func(*S, int)) {
	x.t.Helper()
	x.AtLeast(key, least, set)
	x.taken(key, most, set)
	x.Refused(key, func(s *S) { set(s, most+1) })
}

// AtLeast tests the lower bound of the setting key: least is accepted, least-1 refused.
func (x *Spec[S]) AtLeast(key string, least int, set func(*S, int)) {
	x.t.Helper()
	x.taken(key, least, set)
	x.Refused(key, func(s *S) { set(s, least-1) })
}

// Only tests the setting key with some numbers: Check must accept exactly the numbers marked as fit.
func (x *Spec[S]) Only(key string, fit map[int]bool, set func(*S, int)) {
	x.t.Helper()
	for v, fits := range fit {
		if fits {
			x.taken(key, v, set)
		} else {
			x.Refused(key, func(s *S) { set(s, v) })
		}
	}
}

// Taken tests that Check accepts a sound Spec after the given change.
func (x *Spec[S]) Taken(change func(*S)) {
	x.t.Helper()
	s := x.sound()
	change(&s)
	if err := x.check(&s); err != nil {
		x.t.Errorf("%+v: %v", s, err)
	}
}

func (x *Spec[S]) taken(key string, v int, set func(*S, int)) {
	x.t.Helper()
	s := x.sound()
	set(&s, v)
	if err := x.check(&s); err != nil {
		x.t.Errorf("%s=%d: %v", key, v, err)
	}
}

// Refused tests that Check refuses a sound Spec after the given change, naming key.
func (x *Spec[S]) Refused(key string, change func(*S)) {
	x.t.Helper()
	s := x.sound()
	change(&s)
	err := x.check(&s)
	if e := (*spec.Error)(nil); !errors.As(err, &e) || e.Key != key {
		x.t.Errorf("%+v: error %v, want one that names %s", s, err, key)
	}
}
