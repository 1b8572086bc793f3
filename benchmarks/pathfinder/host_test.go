package pathfinder

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestPathfinder(t *testing.T) { benchtest.Run(t, name) }
