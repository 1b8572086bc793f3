package sgemm

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestSgemm(t *testing.T) { benchtest.Run(t, name) }
