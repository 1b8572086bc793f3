package dct8x8

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestDct8x8(t *testing.T) { benchtest.Run(t, name) }
