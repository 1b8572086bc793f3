package tpacf

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestTpacf(t *testing.T) { benchtest.Run(t, name) }
