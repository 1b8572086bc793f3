package leukocyte

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestLeukocyte(t *testing.T) { benchtest.Run(t, name) }
