package compressed

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/regfile/contracttest"
	"kumiko/regfile/conventional/extensiontest"
)

// anyFile draws compressors and decompressors, and a main file for them.
func anyFile(t *rapid.T, c *contracttest.Config) Spec {
	pick := func(name string, of ...int) int { return rapid.SampledFrom(of).Draw(t, name) }
	s := Default()
	s.Delta = pick("delta", 0, 1, 2)
	s.Compressors, s.Compression = pick("compressors", 1, 2, 16), pick("compression", 1, 2, 30)
	s.Decompressors, s.Decompression = pick("decompressors", 1, 2, 16), pick("decompression", 1, 3, 30)
	s.base = extensiontest.Draw(t, c)
	return s
}

func TestRandomFilesKeepTheContract(t *testing.T) {
	contracttest.Random(t, kind(t), anyFile)
}
