package nw

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestNw(t *testing.T) { benchtest.Run(t, name) }
