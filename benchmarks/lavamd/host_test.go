package lavamd

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestLavaMD(t *testing.T) { benchtest.Run(t, name) }
