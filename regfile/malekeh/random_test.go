package malekeh

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/regfile/contracttest"
	"kumiko/regfile/conventional/extensiontest"
)

// anyUnits draws units, and a main file for them.
func anyUnits(t *rapid.T, c *contracttest.Config) Spec {
	pick := func(name string, of ...int) int { return rapid.SampledFrom(of).Draw(t, name) }
	s := Default()
	s.Units, s.Entries = pick("units", 1, 2, 3, 8), pick("entries", 1, 2, 6, 40)
	s.Hints = rapid.SampledFrom([]string{Distance, Bit}).Draw(t, "hints")
	s.Writes = rapid.SampledFrom([]string{All, Near}).Draw(t, "writes")
	s.Near, s.Wait = pick("near", 1, 3, 10, 254), pick("wait", 0, 1, 5, 60)
	s.Prefer = rapid.Bool().Draw(t, "prefer")
	s.base = extensiontest.Draw(t, c)
	return s
}

func TestRandomUnitsKeepTheContract(t *testing.T) {
	contracttest.Random(t, kind(t), anyUnits)
}
