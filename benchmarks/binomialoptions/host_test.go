package binomialoptions

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestBinomialOptions(t *testing.T) { benchtest.Run(t, name) }
