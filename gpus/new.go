package gpus

import "fmt"

// New builds the GPU of a configuration. Its error says which value no GPU
// could have.
func New(c *Config, opt Options) (*Machine, error) {
	g, err := assemble(blueprint{sm: &c.SM, memory: &c.Mem, regfile: kind(c.RegFile.Kind),
		settings: c.RegFile.Settings(),
		pool:     c.poolOf(0).Bytes, check: opt.Check})
	if err != nil {
		return nil, locate(err, c.layers)
	}
	if t := opt.Timeline; t != nil {
		if t.SM() < 0 || t.SM() >= len(g.sms) {
			return nil, fmt.Errorf("timeline of SM %d: expected one of the SMs 0 to %d", t.SM(), len(g.sms)-1)
		}
		t.Attach(g.sms[t.SM()])
	}
	c.Account.apply(g)
	return newMachine(g, c, opt), nil
}
