package vecadd

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestVecadd(t *testing.T) { benchtest.Run(t, name) }
