package kmeans

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestKmeans(t *testing.T) { benchtest.Run(t, name) }

func TestKmeansWithATexture(t *testing.T) { benchtest.Run(t, textured) }
