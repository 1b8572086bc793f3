package btree

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestBtree(t *testing.T) { benchtest.Run(t, name) }
