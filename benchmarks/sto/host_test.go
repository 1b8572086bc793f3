package sto

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestSto(t *testing.T) { benchtest.Run(t, name) }
