package gemm

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestGemm(t *testing.T) { benchtest.Run(t, name) }
