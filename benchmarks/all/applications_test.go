package all_test

import (
	"testing"

	"kumiko/benchmarks"
	"kumiko/benchmarks/benchtest"
)

func TestEveryApplicationIsRightAndItsCheckFindsWrongResults(t *testing.T) {
	for _, app := range benchmarks.List() {
		t.Run(app.Name, func(t *testing.T) {
			t.Parallel()
			benchtest.Run(t, app.Name)
		})
	}
}
