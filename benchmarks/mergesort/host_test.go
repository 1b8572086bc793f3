package mergesort

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestMergeSort(t *testing.T) { benchtest.Run(t, name) }
