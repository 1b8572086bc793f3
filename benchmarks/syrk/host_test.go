package syrk

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestSyrk(t *testing.T) { benchtest.Run(t, name) }
