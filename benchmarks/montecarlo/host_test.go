package montecarlo

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestMonteCarlo(t *testing.T) { benchtest.Run(t, name) }
