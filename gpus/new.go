package gpus

import (
	"fmt"

	"kumiko/gpus/config"
	"kumiko/regfile"
)

// New builds the GPU of a configuration. Its error says which value no GPU
// could have.
func New(c *config.Config, opt Options) (*Machine, error) {
	kind, err := regfile.Find(c.RegFile.Kind)
	if err != nil {
		return nil, err
	}
	g, err := assemble(blueprint{sm: &c.SM, memory: &c.Mem, regfile: kind, settings: c.RegFile.Settings(),
		pool: c.RegisterPool(), check: opt.Check})
	if err != nil {
		return nil, c.Locate(err)
	}
	if t := opt.Timeline; t != nil {
		if t.SM() < 0 || t.SM() >= len(g.sms) {
			return nil, fmt.Errorf("timeline of SM %d: expected one of the SMs 0 to %d", t.SM(), len(g.sms)-1)
		}
		t.Attach(g.sms[t.SM()])
	}
	g.countMore(&c.Account)
	return newMachine(g, c, opt), nil
}
