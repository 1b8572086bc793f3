package transpose

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestTranspose(t *testing.T) { benchtest.Run(t, name) }
