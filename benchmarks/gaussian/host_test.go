package gaussian

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestGaussian(t *testing.T) { benchtest.Run(t, name) }
