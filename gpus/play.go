package gpus

import (
	"errors"
	"fmt"

	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/regfile"
	"kumiko/sm/occupancy"
)

// Play runs every launch of a capture in captured order. The results equal those of the program itself. The
// device's memory is not touched.
func (m *machine) Play(c *Capture) error {
	if c.overflow {
		return errors.New("the capture has no streams: they were larger than its limit")
	}
	for i := range c.launches {
		if err := m.play(&c.launches[i]); err != nil {
			return err
		}
	}
	return nil
}

func (m *machine) play(c *captured) error {
	l, err := m.fitted(c)
	if err != nil {
		return err
	}
	return m.simulate(l)
}

// fitted returns a captured launch in this machine's form. Designs may annotate kernels and number registers in
// their own way, but the instructions must match the captured kernel's: the streams refer to their PCs.
func (m *machine) fitted(c *captured) (*launchSpec, error) {
	l, err := m.shaped(&c.launch)
	if err != nil {
		return nil, err
	}
	l.open = func(*regfile.Admission) (Source, error) { return &playback{kernel: l.Kernel, ctas: c.ctas}, nil }
	return l, sameCode(l.Kernel, c.kernel)
}

// sameCode returns an error unless both kernels have the same instructions, so that the streams of one fit the
// other.
func sameCode(a, b *ir.Kernel) error {
	same := len(a.Insts) == len(b.Insts)
	for i := 0; same && i < len(a.Insts); i++ {
		x, y := &a.Insts[i], &b.Insts[i]
		same = x.Op == y.Op && x.T.Class == y.T.Class && x.T.Guarded == y.T.Guarded && x.T.Space == y.T.Space
	}
	if !same {
		return fmt.Errorf("internal error: kernel %s was captured with other instructions than this machine executes",
			a.Name)
	}
	return nil
}

// Residents returns, for each launch, how many CTAs an SM holds. Where CTAs may be kept outside the register
// file, only the CTAs inside it count. The machine must not run anything afterwards.
func (m *machine) Residents(c *Capture) ([]int, error) {
	type shape struct {
		k   *ir.Kernel
		cta occupancy.CTA
	}
	known := map[shape]int{}
	var out []int
	for i := range c.launches {
		l, err := m.shaped(&c.launches[i].launch)
		if err != nil {
			return nil, err
		}
		k, cta := l.Kernel, l.needs()
		n, ok := known[shape{k, cta}]
		if !ok {
			a, err := m.admit(k, cta)
			if err != nil {
				return nil, err
			}
			n = residents(&a)
			known[shape{k, cta}] = n
		}
		out = append(out, n)
	}
	return out, nil
}

// playback is the source of a captured launch's CTAs. All machines share the CTAs; each machine sets its own
// kernel.
type playback struct {
	kernel *ir.Kernel
	ctas   []*stream.CTA
}

// Next implements stream.Source.
func (p *playback) Next() *stream.CTA {
	if len(p.ctas) == 0 {
		return nil
	}
	c := *p.ctas[0]
	c.Kernel = p.kernel
	p.ctas = p.ctas[1:]
	return &c
}

// Err implements stream.Source.
func (p *playback) Err() error { return nil }

// Close implements Source.
func (p *playback) Close() { p.ctas = nil }
