package libor

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestLibor(t *testing.T) { benchtest.Run(t, name) }
