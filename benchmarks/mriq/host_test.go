package mriq

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestMriq(t *testing.T) { benchtest.Run(t, name) }
