package wp

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestWp(t *testing.T) { benchtest.Run(t, name) }
