package fmaheavy

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestFmaheavy(t *testing.T) { benchtest.Run(t, name) }
