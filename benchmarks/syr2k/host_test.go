package syr2k

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestSyr2k(t *testing.T) { benchtest.Run(t, name) }
