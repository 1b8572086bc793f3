package sad

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestSad(t *testing.T) { benchtest.Run(t, name) }
