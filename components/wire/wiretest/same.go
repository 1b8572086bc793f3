package wiretest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Same fails a test where what it got is not what it wants, and prints the difference.
func Same(t testing.TB, what string, want, got any, options ...cmp.Option) {
	t.Helper()
	if d := cmp.Diff(want, got, options...); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}
