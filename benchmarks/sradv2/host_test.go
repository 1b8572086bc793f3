package sradv2

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestSradv2(t *testing.T) { benchtest.Run(t, name) }
