package compressed

import (
	"kumiko/components/spec"
	"kumiko/regfile/conventional"
)

// Spec configures a file of compressed registers.
type Spec struct {
	Delta         int `toml:"delta" unit:"bytes" range:"0 to 2" doc:"size of the largest differences from the word of the first lane that are compressed: 0, 1 or 2"`
	Compressors   int `toml:"compressors" unit:"compressors per scheduler" range:"1 to 16" doc:"results of all lanes that begin to be compressed in a cycle"`
	Compression   int `toml:"compression" unit:"cycles" range:"1 to 64" doc:"time by which a compressed write comes to the banks later"`
	Decompressors int `toml:"decompressors" unit:"decompressors per scheduler" range:"1 to 16" doc:"compressed operands that begin to be decompressed in a cycle"`
	Decompression int `toml:"decompression" unit:"cycles" range:"1 to 64" doc:"time of a compressed operand in the stage before the collectors. Other operands pass it in one cycle"`

	base conventional.Spec
}

// Default returns the compressors of the paper (Lee et al., ISCA 2015): three forms, two cycles to compress and one to
// decompress, two compressors and four decompressors in an SM of two schedulers. Only the abstract of the paper could
// be read; lab/docs/deviations/values.md says where the numbers are from.
func Default() Spec {
	return Spec{Delta: 2, Compressors: 1, Compression: 2, Decompressors: 2, Decompression: 1,
		base: conventional.Default()}
}

// SetBase sets the settings of the main file.
func (s *Spec) SetBase(base *conventional.Spec) { s.base = *base }

// Check refuses impossible compressors.
func (s *Spec) Check() error { return spec.Ranges(s) }
