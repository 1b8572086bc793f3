package gpus

import (
	"errors"
	"fmt"

	"kumiko/gpus/capture"
	"kumiko/gpus/measure"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/regfile"
	"kumiko/sm/occupancy"
)

// Play runs every launch of a capture in captured order. The results equal those of the program itself. The
// device's memory is not touched.
func (m *machine) Play(c *capture.Capture) error {
	if c.Overflow() {
		return errors.New("the capture has no streams: they were larger than its limit")
	}
	for i := range c.Executed() {
		if err := m.play(&c.Executed()[i]); err != nil {
			return err
		}
	}
	return m.Sync()
}

func (m *machine) play(c *capture.Executed) error {
	if !m.runsAlone(c.Launch.Queue) {
		return m.enqueuePlayed(c)
	}
	if err := m.Sync(); err != nil {
		return err
	}
	l, err := m.fitted(c)
	if err != nil {
		return err
	}
	return m.simulate(l)
}

// fitted returns a captured launch in this machine's form. Designs may annotate kernels and number registers in
// their own way, but the instructions must match the captured kernel's: the streams refer to their PCs.
func (m *machine) fitted(c *capture.Executed) (*launchSpec, error) {
	l, err := m.shaped(&c.Launch)
	if err != nil {
		return nil, err
	}
	l.open = func(*regfile.Admission) (stream.OpenSource, error) { return capture.NewPlayback(l.Kernel, c.CTAs), nil }
	return l, sameCode(l.Kernel, c.Kernel)
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
func (m *machine) Residents(c *capture.Capture) ([]int, error) {
	type shape struct {
		k   *ir.Kernel
		cta occupancy.CTA
	}
	known := map[shape]int{}
	var out []int
	for i := range c.Executed() {
		l, err := m.shaped(&c.Executed()[i].Launch)
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
			n = measure.Residents(&a)
			known[shape{k, cta}] = n
		}
		out = append(out, n)
	}
	return out, nil
}
