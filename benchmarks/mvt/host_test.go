package mvt

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestMvt(t *testing.T) { benchtest.Run(t, name) }
