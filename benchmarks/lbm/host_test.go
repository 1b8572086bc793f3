package lbm

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestLbm(t *testing.T) { benchtest.Run(t, name) }
