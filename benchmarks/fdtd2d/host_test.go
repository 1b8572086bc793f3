package fdtd2d

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestFdtd2d(t *testing.T) { benchtest.Run(t, name) }
