package shader

import (
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestShaders(t *testing.T) {
	for _, s := range shaders {
		t.Run(s.name, func(t *testing.T) { benchtest.Run(t, "shader."+s.name) })
	}
}
