package gramschmidt

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestGramschmidt(t *testing.T) { benchtest.Run(t, name) }
