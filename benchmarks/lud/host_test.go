package lud

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestLud(t *testing.T) { benchtest.Run(t, name) }
