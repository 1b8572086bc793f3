package backprop

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestBackprop(t *testing.T) { benchtest.Run(t, name) }
