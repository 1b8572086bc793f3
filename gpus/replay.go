package gpus

import (
	"fmt"

	"kumiko/gpus/result"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/sm/occupancy"
)

// Source gives the streams of a launch and can be closed before its end.
type Source interface {
	stream.Source
	Close()
}

// Replay is a launch that has been executed elsewhere: its kernel in machine
// form, as the streams refer to it, and where the streams come from.
type Replay struct {
	Kernel      *ir.Kernel
	Grid, Block [3]int
	SharedBytes int // per CTA, static and dynamic
	// Open begins the streams; the source is closed when the launch has ended.
	Open func() (Source, error)
}

// Replay runs streams to their end. The device's memory is not touched.
func (m *Machine) Replay(r *Replay) error {
	k := m.kernels.charged(r.Kernel)
	threads := r.Block[0] * r.Block[1] * r.Block[2]
	a, err := m.admit(k, occupancy.CTA{Threads: threads, Registers: k.Footprint, SharedBytes: r.SharedBytes})
	if err != nil {
		return err
	}
	if a.FirstUse {
		return fmt.Errorf("kernel %s: register file %s needs registers numbered by their first use; those of "+
			"recorded streams are numbered as they were", k.Name, m.cfg.RegFile.Kind)
	}
	m.code.load(k)
	src, err := r.Open()
	if err != nil {
		return err
	}
	res := result.Kernel{Name: k.Name, Grid: r.Grid, Block: r.Block, RegistersPerThread: k.Footprint,
		SharedBytes: r.SharedBytes}
	if src, err = m.recorded(k, &res, src); err != nil {
		return err
	}
	return m.run(k, src, &a, &res)
}

// recorded puts the recorder, if there is one, between the streams and the
// simulation.
func (m *Machine) recorded(k *ir.Kernel, r *result.Kernel, src Source) (Source, error) {
	if m.opt.Record == nil {
		return src, nil
	}
	out, err := m.opt.Record(k, r.Grid, r.Block, r.SharedBytes, src)
	if err != nil {
		src.Close()
		return nil, err
	}
	return out, nil
}
