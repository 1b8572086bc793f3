package srad

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestSrad(t *testing.T) { benchtest.Run(t, name) }
