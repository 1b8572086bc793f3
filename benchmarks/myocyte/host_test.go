package myocyte

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestMyocyte(t *testing.T) { benchtest.Run(t, name) }
