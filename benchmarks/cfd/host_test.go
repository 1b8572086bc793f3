package cfd

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestCfd(t *testing.T) { benchtest.Run(t, name) }
