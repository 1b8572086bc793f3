package nn

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestNn(t *testing.T) { benchtest.Run(t, name) }
