package atax

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestAtax(t *testing.T) { benchtest.Run(t, name) }
