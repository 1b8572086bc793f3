package benchtest

import (
	"fmt"

	"kumiko/benchmarks"
	"kumiko/kernel/compiler"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// watch is a runner that counts launches, compares them with the registered shapes of their kernels, and corrupts
// an output after a chosen launch.
type watch struct {
	app      *benchmarks.App
	emu      *emu.Runner
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

func newWatch(app *benchmarks.App) *watch {
	w := &watch{app: app, mem: &mem.Memory{}, seen: map[string]bool{}}
	w.emu = &emu.Runner{Mem: w.mem, Done: func(_ *host.Launch, s emu.Stats) { w.insts += s.WarpInsts }}
	w.inner = w.emu
	return w
}

// compile makes the emulator execute machine form with the launch's footprint.
func (w *watch) compile() {
	type form struct {
		kernel    string
		registers int
	}
	made := map[form]*ir.Kernel{}
	w.emu.Compile = func(l *host.Launch) (*ir.Kernel, error) {
		f := form{l.Kernel, l.Registers}
		if made[f] == nil {
			k, err := compiler.Compile(l.Module.Kernel(l.Kernel), compiler.Options{Registers: l.Registers})
			if err != nil {
				return nil, err
			}
			made[f] = k
		}
		return made[f], nil
	}
}

// Launch implements host.Runner.
func (w *watch) Launch(l *host.Launch) error {
	w.look(l)
	if err := w.inner.Launch(l); err != nil {
		return err
	}
	w.launches++
	if w.launches == w.spoilAfter {
		return w.spoil()
	}
	return nil
}

// look compares a kernel's first launch with its registry entry. One-dimensional CTAs may be smaller at size test.
func (w *watch) look(l *host.Launch) {
	if w.seen[l.Kernel] {
		return
	}
	w.seen[l.Kernel] = true
	for i := range w.app.Kernels {
		k := &w.app.Kernels[i]
		if k.Name != l.Kernel {
			continue
		}
		static := l.Module.Kernel(l.Kernel).SharedBytes
		if l.DynShared == 0 && static != k.Shared {
			w.problem("kernel %s has %d bytes of shared memory, %d are registered", k.Name, static, k.Shared)
		}
		if l.Block != k.Block && (l.Block[0] > k.Block[0] || l.Block[1] != 1) {
			w.problem("kernel %s has CTAs of %v threads, %v are registered", k.Name, l.Block, k.Block)
		}
		return
	}
	w.problem("kernel %s is not registered", l.Kernel)
}

func (w *watch) problem(format string, args ...any) {
	w.problems = append(w.problems, fmt.Sprintf(format, args...))
}

// spoil flips the second highest bit of a four-byte element. In a float it is the highest bit of the exponent, with
// the weight 2^128.
func (w *watch) spoil() error {
	for _, r := range w.mem.Regions() {
		if r.Name != w.output {
			continue
		}
		words := len(r.Data) / 4
		at := map[string]int{"First": 0, "Middle": words / 2, "Last": words - 1}[w.where]
		r.Data[4*at+3] ^= 0x40
		return nil
	}
	return fmt.Errorf("no buffer is named %q", w.output)
}
