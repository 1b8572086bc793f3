package benchtest

import (
	"fmt"

	"kumiko/benchmarks"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/mem"
)

// watch is a runner that counts, compares launches with the registered shape of
// their kernels, and spoils an output after a chosen launch.
type watch struct {
	app      *benchmarks.App
	inner    host.Runner
	mem      *mem.Memory
	launches int
	insts    uint64
	seen     map[string]bool
	problems []string

	spoilAfter int // launches; 0: never
	output     string
	where      string
}

// Launch implements host.Runner.
func (w *watch) Launch(l *host.Launch) error {
	if err := w.inner.Launch(l); err != nil {
		return err
	}
	w.launches++
	w.look(l)
	if w.launches == w.spoilAfter {
		return w.spoil()
	}
	return nil
}

func (w *watch) look(l *host.Launch) {
	if w.seen[l.Kernel] {
		return
	}
	w.seen[l.Kernel] = true
	for i := range w.app.Kernels {
		if w.app.Kernels[i].Name == l.Kernel {
			return
		}
	}
	w.problems = append(w.problems, fmt.Sprintf("kernel %s is not registered", l.Kernel))
}

// spoil flips a high bit of an element: of a four-byte number its second highest
// bit, which changes a float by at least a factor of two to the 64.
func (w *watch) spoil() error {
	for _, r := range w.mem.Regions() {
		if r.Name != w.output {
			continue
		}
		words := len(r.Data) / 4
		at := map[string]int{"first": 0, "middle": words / 2, "last": words - 1}[w.where]
		r.Data[4*at+3] ^= 0x40
		return nil
	}
	return fmt.Errorf("no buffer is named %q", w.output)
}

// newRunner is the functional emulator on PTX as it is written.
func (w *watch) newRunner() host.Runner {
	return &emu.Runner{Mem: w.mem, Done: func(_ *host.Launch, s emu.Stats) { w.insts += s.WarpInsts }}
}
