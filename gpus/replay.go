package gpus

import (
	"fmt"

	"kumiko/gpus/sampled"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// Replay is a launch that has been executed elsewhere: its kernel in machine
// form, as the streams refer to it, and where the streams come from.
type Replay struct {
	Kernel      *ir.Kernel
	Grid, Block [3]int
	SharedBytes int // per CTA, static and dynamic
	// Fitted: control words were made for this machine (config.Config.Hardware), not elsewhere.
	Fitted bool
	// Open begins the streams; the source is closed when the launch has ended.
	Open func() (Source, error)
}

// Replay runs streams to their end. The device's memory is not touched.
func (m *Machine) Replay(r *Replay) error {
	k := m.kernels.charged(r.Kernel)
	if err := executable(k, m.spec); err != nil {
		return err
	}
	if !r.Fitted {
		if err := timely(k, m.cfg); err != nil {
			return err
		}
	}
	return m.simulate(&launchSpec{
		Launch: sampled.Launch{Kernel: k, Grid: r.Grid, Block: r.Block, SharedBytes: r.SharedBytes},
		open: func(a *regfile.Admission) (Source, error) {
			if a.FirstUse {
				return nil, fmt.Errorf("kernel %s: register file %s needs registers numbered by their first use; "+
					"those of recorded streams are numbered as they were", k.Name, m.cfg.RegFile.Kind)
			}
			m.code.load(k)
			return r.Open()
		}})
}
