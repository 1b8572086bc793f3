// Package spectest tests the Check methods of Specs: which values they take, which they
// refuse, and whether the refusal names the key.
package spectest

import (
	"errors"
	"testing"

	"kumiko/components/spec"
)

// Bound is a setting that takes the numbers Least to Most, and none beside them.
type Bound[S any] struct {
	Key         string // by which the refusal names it
	Set         func(*S, int)
	Least, Most int
}

// Unbounded is a Most that stands for no upper bound.
const Unbounded = -1 << 30

// Bounds tests that check takes what sound returns with each bound's Least and Most in it,
// and refuses one less and one more by the bound's key.
func Bounds[S any](t *testing.T, sound func() S, check func(*S) error, bounds ...Bound[S]) {
	t.Helper()
	if len(bounds) == 0 {
		t.Error("no bounds")
	}
	for _, b := range bounds {
		values := map[int]bool{b.Least - 1: false, b.Least: true, b.Most: true, b.Most + 1: false}
		if b.Most == Unbounded {
			values = map[int]bool{b.Least - 1: false, b.Least: true, b.Least + 1: true}
		}
		for v, taken := range values {
			s := sound()
			b.Set(&s, v)
			if err := check(&s); taken && err != nil {
				t.Errorf("%s=%d: %v", b.Key, v, err)
			} else if !taken {
				refused(t, err, b.Key, v)
			}
		}
	}
}

// Refused tests that check refuses a sound Spec with a change in it, by the key.
func Refused[S any](t *testing.T, sound func() S, check func(*S) error, key string, change func(*S)) {
	t.Helper()
	s := sound()
	if err := check(&s); err != nil {
		t.Fatalf("a sound spec: %v", err)
	}
	change(&s)
	refused(t, check(&s), key, s)
}

func refused(t *testing.T, err error, key string, v any) {
	t.Helper()
	if e := (*spec.Error)(nil); !errors.As(err, &e) || e.Key != key {
		t.Errorf("%s: %v: error %v, want one that names %s", key, v, err, key)
	}
}
