package streamcluster

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestStreamcluster(t *testing.T) { benchtest.Run(t, name) }
