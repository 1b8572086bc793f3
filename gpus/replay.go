package gpus

import (
	"fmt"
	"slices"

	"kumiko/gpus/code"
	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
	"kumiko/kernel/compiler/control"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/regfile"
)

// Replay is a launch executed elsewhere. It consists of the kernel in machine form, matching the recorded streams,
// and a function to open these streams.
type Replay struct {
	Kernel      *ir.Kernel
	Grid, Block [3]int
	SharedBytes int // per CTA, static and dynamic
	// Wordless permits a kernel without control words. The compiler then makes control words for the machine.
	Wordless bool
	// Fitted marks control words made for this machine (config.Config.Hardware), not elsewhere.
	Fitted bool
	// Open starts the streams. The source is closed at the end of the launch.
	Open func() (stream.OpenSource, error)
	// Queue places the launch among others that may overlap; nil: it runs alone. The streams of launches side by side
	// are all in memory.
	Queue *host.Queue
}

// Replay simulates recorded streams to their end; those of a launch with a Queue at the latest by Sync. The device's
// memory is not touched.
func (m *machine) Replay(r *Replay) error {
	s, err := m.replayed(r)
	if err != nil {
		return err
	}
	if m.runsAlone(r.Queue) {
		if err := m.Sync(); err != nil {
			return err
		}
		return m.simulate(s)
	}
	if err := m.joinQueue(r.Queue); err != nil {
		return err
	}
	return m.keep(s, r.Queue, func(a *regfile.Admission) ([]*stream.CTA, error) {
		src, err := s.open(a)
		if err != nil {
			return nil, err
		}
		defer src.Close()
		return m.drained(src)
	})
}

// replayed returns a launch executed elsewhere in this machine's form.
func (m *machine) replayed(r *Replay) (*launchSpec, error) {
	if m.cfg.RegFile.Values() {
		return nil, ofKernel(r.Kernel, fmt.Errorf("found instructions without values, of a trace or a sequence, "+
			"expected a program to be executed: the register file %s stores registers by value. Run the .ptx or .cu "+
			"file, or the built-in benchmark, or choose another --design or regfile.kind", m.cfg.RegFile.Kind))
	}
	if m.cfg.Compiler.Arch() != 0 {
		return nil, ofKernel(r.Kernel, fmt.Errorf("found compiler.code = %s, expected own: recorded streams have the "+
			"code that was recorded", m.cfg.Compiler.Code))
	}
	k := m.code.Charged(r.Kernel)
	words := ""
	if of, err := control.For(m.cfg.Machine()); err == nil && r.Wordless && m.spec.Scheduler.Controlled() &&
		!slices.ContainsFunc(k.Insts, hasWord) {
		k, words = m.code.WithWords(k, of), result.MadeWords
	}
	if err := code.Executable(k, m.spec); err != nil {
		return nil, err
	}
	if !r.Fitted && words == "" {
		if err := code.Timely(k, m.cfg); err != nil {
			return nil, err
		}
	}
	return &launchSpec{
		Launch: sampling.Launch{Kernel: k, Grid: r.Grid, Block: r.Block, SharedBytes: r.SharedBytes,
			Words: words},
		open: func(a *regfile.Admission) (stream.OpenSource, error) {
			if a.FirstUse && !k.FirstUse {
				return nil, fmt.Errorf("kernel %s: register file %s needs registers numbered by their first use; "+
					"those of recorded streams are numbered as they were: record the run with this design",
					k.Name, m.cfg.RegFile.Kind)
			}
			m.code.Place(k)
			src, err := r.Open()
			if err == nil && words != "" {
				src = &worded{src, k}
			}
			return src, err
		}}, nil
}

func hasWord(in ir.Inst) bool { return in.Control.Set }

// worded is a source that replaces the kernel of each CTA by a copy with other control words.
type worded struct {
	stream.OpenSource
	kernel *ir.Kernel
}

// Next implements Source.
func (w *worded) Next() *stream.CTA {
	c := w.OpenSource.Next()
	if c != nil {
		c.Kernel = w.kernel
	}
	return c
}

// Release implements stream.Releaser.
func (w *worded) Release(c *stream.CTA) {
	if r, ok := w.OpenSource.(stream.Releaser); ok {
		r.Release(c)
	}
}
