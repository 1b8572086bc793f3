package synthetic

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestSynthetic(t *testing.T) { benchtest.Run(t, name) }
