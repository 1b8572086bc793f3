// Package extensiontest is shared by the tests of a design's single block. It provides the sub-core for which the
// block is built, and a test's ends of the ports of its extension.
package extensiontest

import (
	"errors"
	"testing"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// errBuilt ends the building of a file when its first Part is known.
var errBuilt = errors.New("the part is known")

// Part returns the first sub-core of a conventional file in an SM, as New would give it to an
// extension. The rest of the file is not built.
func Part(t testing.TB, env *regfile.Env, s conventional.Spec, options ...conventional.Option) *conventional.Part {
	t.Helper()
	elsewhere := *env
	elsewhere.Domain, elsewhere.Stats = wire.NewDomain("Elsewhere", env.Domain.Freq()), &stats.Registry{}
	var part *conventional.Part
	extend := conventional.Extend(func(p *conventional.Part) (*conventional.Extension, error) {
		part = p
		return nil, errBuilt
	})
	if _, err := conventional.New(&elsewhere, &s, append(options, extend)...); !errors.Is(err, errBuilt) {
		t.Fatal(err)
	}
	part.Env = env
	return part
}
