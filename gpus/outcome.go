package gpus

import (
	"kumiko/gpus/config"
	"kumiko/gpus/result"
	"kumiko/regfile"
)

// Ran is what a result is made of.
type Ran interface {
	Results() []result.Kernel
	Blocks() result.Blocks
	Storage() []regfile.State
}

// NewResult is what a machine of a configuration can say of its run: everything
// but the program, the comparisons and the totals.
func NewResult(c *config.Config, m Ran) *result.Result {
	return &result.Result{GPU: c.Name, Design: c.Design, ConfigHash: c.Hash(), Config: c.Values(),
		Kernels: m.Results(), Blocks: m.Blocks(), Storage: m.Storage()}
}
