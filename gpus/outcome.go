package gpus

import "kumiko/gpus/result"

// NewResult is what a machine of a configuration can say of its run: everything
// but the program, the comparisons and the totals.
func NewResult(c *Config, m Machine) *result.Result {
	res := &result.Result{GPU: c.Name, Design: c.Design, ConfigHash: c.Hash(), Config: c.Values(), Kernels: m.Results()}
	if d, ok := m.(Detailed); ok {
		res.Blocks = d.Blocks()
	}
	if s, ok := m.(Sized); ok {
		res.Storage = s.Storage()
	}
	return res
}
