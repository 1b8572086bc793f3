package convolutionseparable

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestConvolutionSeparable(t *testing.T) { benchtest.Run(t, name) }
