package bicg

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestBicg(t *testing.T) { benchtest.Run(t, name) }
