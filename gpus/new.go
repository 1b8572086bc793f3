package gpus

// New builds the GPU of a configuration. Its error says which value no GPU
// could have.
func New(c *Config, opt Options) (Machine, error) {
	g, err := assemble(blueprint{sm: &c.SM, memory: &c.Mem, regfile: kind(c.RegFile.Kind), settings: c.RegFile.Settings(), check: opt.Check})
	if err != nil {
		return nil, locate(err, c.layers)
	}
	return newMachine(g, &c.SM, &c.Occupancy, c.CompilerOptions(0), opt), nil
}
