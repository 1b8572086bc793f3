package compiler_test

import (
	"io"
	"testing"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/kernel/compiler"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/stream"
)

// reader is a runner that detects reads of dead registers.
type reader struct {
	emu     emu.Runner
	kernels map[*ir.Kernel]*ir.Kernel
	wrong   func(format string, args ...any)

	marked, apart int // marks met, those with lanes elsewhere
}

func newReader(wrong func(string, ...any)) *reader {
	r := &reader{kernels: map[*ir.Kernel]*ir.Kernel{}, wrong: wrong}
	r.emu = emu.Runner{Mem: &mem.Memory{}, Compile: r.compile, Out: io.Discard}
	return r
}

func (r *reader) compile(l *host.Launch) (*ir.Kernel, error) {
	k := l.Module.Kernel(l.Kernel)
	if c := r.kernels[k]; c != nil {
		return c, nil
	}
	c, err := compiler.Compile(k, compiler.Options{Registers: l.Registers})
	if err == nil {
		r.kernels[k] = c
	}
	return c, err
}

// Launch implements host.Runner.
func (r *reader) Launch(l *host.Launch) error {
	e, err := r.emu.Prepare(l)
	if err != nil {
		return err
	}
	src := emu.NewSource(e, 4)
	defer src.Close()
	for cta := src.Next(); cta != nil; cta = src.Next() {
		for i := range cta.Warps {
			r.warp(cta.Kernel, &cta.Warps[i])
		}
	}
	return src.Err()
}

func (r *reader) warp(k *ir.Kernel, w *stream.Warp) {
	var lost [256]uint32
	live := uint32(0)
	if len(w.Runs) > 0 {
		live = w.Runs[0].Mask
	}
	var c stream.Cursor
	var d stream.Dyn
	c.Start(k, w)
	for c.Next(&d) {
		t := &d.Inst.T
		for _, x := range t.Src[:t.NSrc] {
			if m := lost[x] & d.Exec; m != 0 {
				r.wrong("%s: %d %s: lanes %08x of R%d had been called dead", k.Name, d.PC, d.Inst, m, x)
			}
		}
		for i, x := range t.Src[:t.NSrc] {
			if t.Dead>>i&1 == 0 || d.Exec == 0 {
				continue
			}
			lost[x] = ^uint32(0)
			r.marked++
			if d.Active != live {
				r.apart++
			}
		}
		for _, x := range t.Dst[:t.NDst] {
			lost[x] &^= d.Exec
		}
		if d.Inst.Op == ir.OpExit {
			live &^= d.Exec
		}
	}
}

func TestNoBenchmarkReadsWhatWasCalledDead(t *testing.T) {
	marked, apart := 0, 0
	for _, a := range benchmarks.List() {
		p, err := a.New(benchmarks.Test)
		if err != nil {
			t.Fatal(err)
		}
		r := newReader(func(format string, args ...any) { t.Errorf(a.Name+": "+format, args...) })
		if err := p.Run(&host.Device{Mem: r.emu.Mem, Runner: r}); err != nil {
			t.Errorf("%s: %v", a.Name, err)
		}
		marked, apart = marked+r.marked, apart+r.apart
	}
	if apart == 0 {
		t.Errorf("of %d marks none came where lanes were elsewhere", marked)
	}
	t.Logf("%d benchmarks, %d marks, %d with lanes elsewhere", len(benchmarks.List()), marked, apart)
}
