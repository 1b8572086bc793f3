package matrixmul

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestMatrixMul(t *testing.T) { benchtest.Run(t, name) }
