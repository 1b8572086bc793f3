package gpus

import (
	"errors"

	"kumiko/gpus/result"
	"kumiko/kernel/stream"
	"kumiko/regfile"
)

// Part is a row of launches of a program that a machine simulates. Those before them are executed and pass through
// the tags of the caches. With the first launch behind them the part is over.
type Part struct {
	From, To int // numbers of launches, from 0; To is the first that is not of the part
}

// ErrPartOver says that a launch comes after those of the machine's part. The host program is to end.
var ErrPartOver = errors.New("the launches of the part are over")

// parting is a part of a program under way.
type parting struct {
	Part
	warm warmer
}

// goesBy lets a launch go by that is not of the machine's part, and reports whether it is none.
func (m *Machine) goesBy(l *launchSpec) (bool, error) {
	p := m.part
	switch n := len(m.results); {
	case p == nil || n >= p.From && n < p.To:
		return false, nil
	case n >= p.To:
		return true, ErrPartOver
	}
	a, err := m.admit(l.kernel, l.needs())
	if err != nil {
		return true, err
	}
	src, err := l.open(&a)
	if err != nil {
		return true, err
	}
	defer src.Close()
	if a.L1Sets > 0 {
		m.divide(a.L1Sets)
	}
	return true, m.goBy(&p.warm, l, &a, src)
}

// goBy executes a launch, lets it pass through the tags of the caches, and appends a result that has no more than its
// instructions.
func (m *Machine) goBy(w *warmer, l *launchSpec, a *regfile.Admission, src Source) error {
	w.given, w.wave = 0, residents(a)*len(m.sms)
	w.together = w.wave
	w.src, _ = src.(stream.Releaser)
	r := result.Kernel{Name: l.kernel.Name, Grid: l.grid, Block: l.block, RegistersPerThread: l.kernel.Footprint,
		SharedBytes: l.sharedBytes, Sampled: true, SMs: []result.SM{}, Sample: &result.Sample{}}
	for c := src.Next(); c != nil; c = src.Next() {
		pass := w.take
		if m.cfg.Cache.FlushBetweenLaunches { // whatever it left would be gone
			pass = (*stream.CTA).Instructions
		}
		insts, lanes := pass(c)
		r.WarpInstructions += insts
		r.ThreadInstructions += lanes
		r.Sample.CTAsSkipped++
	}
	w.pass()
	w.src = nil
	if m.interrupted() {
		return ErrInterrupted
	}
	r.Complete = src.Err() == nil
	r.Sample.WarpInstructionsSkipped = r.WarpInstructions
	m.fills = append(m.fills, m.fill(a, &r))
	m.results = append(m.results, r)
	return src.Err()
}
