package bfs

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestBfs(t *testing.T) { benchtest.Run(t, name) }
