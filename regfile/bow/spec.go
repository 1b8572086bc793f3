package bow

import (
	"cmp"

	"kumiko/components/spec"
	"kumiko/regfile/conventional"
)

// Spec configures the windows before a conventional file.
type Spec struct {
	Window     int    `toml:"window" unit:"instructions" range:"1 to 1024" doc:"last instructions of a warp whose registers are kept, the newest included. 1: nothing is kept, which leaves a pipeline stage"`
	Entries    int    `toml:"entries" unit:"registers per warp" range:"1 to 256" doc:"entries of a warp's window. Of more registers the one used least recently leaves"`
	Writes     string `toml:"writes" unit:"-" doc:"when results are written to the banks. through: at once. back: when their entry leaves. hints: as the compiler says, by whether a value is read within the window and needed after it"`
	Reads      int    `toml:"reads" unit:"registers per cycle" range:"1 to 64" doc:"operands that the windows of a sub-core give"`
	WriteBacks int    `toml:"write_backs" unit:"registers per cycle" range:"1 to 64" doc:"registers that leave the windows of a sub-core for the banks"`

	base conventional.Spec
}

// Names of the ways of writing.
const (
	Through = "through"
	Back    = "back"
	Hints   = "hints"
)

// Default returns a window of three instructions with twelve registers, enough for their three sources and one
// destination each, and results written through. Only the abstract of the paper could be consulted again. It says
// that the basic design saves only reads, that another one saves writes, guided by the compiler, and that the
// buffers can be made smaller. The window and the entries are from memory of the paper's text, to be checked. The
// ports are interpretations: three operands per cycle, those of one issued instruction of a sub-core, and two
// write-backs. In the paper each warp has a collector of its own, without a known limit.
func Default() Spec {
	return Spec{Window: 3, Entries: 12, Writes: Through, Reads: 3, WriteBacks: 2, base: conventional.Default()}
}

// SetBase sets the settings of the main file.
func (s *Spec) SetBase(base *conventional.Spec) { s.base = *base }

// Check refuses impossible windows.
func (s *Spec) Check() error {
	return cmp.Or(spec.Ranges(s), spec.OneOf("writes", s.Writes, Through, Back, Hints))
}

// empty reports whether windows keep nothing: with a window of one, no instruction finds registers of an earlier
// one.
func (s *Spec) empty() bool { return s.Window == 1 }
