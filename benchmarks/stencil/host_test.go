package stencil

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestStencil(t *testing.T) { benchtest.Run(t, name) }

func TestStencilInFlatCTAs(t *testing.T) { benchtest.Run(t, flat) }
