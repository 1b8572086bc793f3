package hotspot

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestHotspot(t *testing.T) { benchtest.Run(t, name) }

func TestHotspotDouble(t *testing.T) { benchtest.Run(t, doubles) }
