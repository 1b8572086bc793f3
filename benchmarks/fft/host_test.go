package fft

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestFft(t *testing.T) { benchtest.Run(t, name) }
