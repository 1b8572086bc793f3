package quasirandomgenerator

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestQuasirandomGenerator(t *testing.T) { benchtest.Run(t, name) }
