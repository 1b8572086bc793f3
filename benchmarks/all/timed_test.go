package all_test

import (
	"bytes"
	"fmt"
	"testing"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/compiler"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// Every application, at size test, runs to its end on the timed GPUs with every operand checked. Its own check
// passes, and global memory and the instruction count equal those of plain functional execution of the same machine
// code. CTAs execute in grid order in both, so this holds for atomics too.
func TestApplicationsLeaveOnTimedGPUsWhatPlainExecutionLeaves(t *testing.T) {
	for _, gpu := range []string{"gtx980", "fermi"} {
		cfg := machinetest.Config(t, config.Request{GPU: gpu})
		for _, a := range benchmarks.List() {
			t.Run(gpu+"/"+a.Name, func(t *testing.T) {
				t.Parallel()
				m := machinetest.Of(t, cfg, gpus.Options{Check: true})
				execute(t, a, m.Memory(), m)
				var timed uint64
				for _, k := range m.Results() {
					timed += k.WarpInstructions
				}
				plain, insts := plainly(t, a, cfg)
				if timed != insts {
					t.Errorf("%d warp instructions, plain execution has %d", timed, insts)
				}
				if d := difference(m.Memory(), plain); d != "" {
					t.Error(d)
				}
			})
		}
	}
}

func execute(t *testing.T, a *benchmarks.App, memory *mem.Memory, r host.Runner) {
	t.Helper()
	p, err := a.New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Run(&host.Device{Mem: memory, Runner: r}); err != nil {
		t.Fatal(err)
	}
}

// plainly executes an application without timing, as compiled for the GPU.
func plainly(t *testing.T, a *benchmarks.App, cfg *config.Config) (*mem.Memory, uint64) {
	t.Helper()
	var insts uint64
	made := map[string]*ir.Kernel{}
	r := &emu.Runner{Mem: &mem.Memory{}, Done: func(_ *host.Launch, s emu.Stats) { insts += s.WarpInsts }}
	r.Compile = func(l *host.Launch) (k *ir.Kernel, err error) {
		if k = made[l.Kernel]; k != nil {
			return k, nil
		}
		k, err = compiler.Compile(l.Module.Kernel(l.Kernel), cfg.CompilerOptions(0, l.Threads()))
		if err == nil && k.Footprint > cfg.SM.MaxRegs {
			k, err = compiler.Compile(l.Module.Kernel(l.Kernel), cfg.CompilerOptions(cfg.SM.MaxRegs, l.Threads()))
		}
		made[l.Kernel] = k
		return k, err
	}
	execute(t, a, r.Mem, r)
	return r.Mem, insts
}

// difference returns the first place at which two memories differ, or "".
func difference(got, want *mem.Memory) string {
	g, w := got.Regions(), want.Regions()
	if len(g) != len(w) {
		return fmt.Sprintf("%d buffers, expected %d", len(g), len(w))
	}
	for i := range g {
		if g[i].Name != w[i].Name || g[i].Addr != w[i].Addr {
			return fmt.Sprintf("buffer %d is %s at %#x, expected %s at %#x", i, g[i].Name, g[i].Addr, w[i].Name,
				w[i].Addr)
		}
		if !bytes.Equal(g[i].Data, w[i].Data) {
			return fmt.Sprintf("buffer %s differs from what plain execution leaves", g[i].Name)
		}
	}
	return ""
}

func TestADifferenceInMemoryIsFound(t *testing.T) {
	fill := func(last byte) *mem.Memory {
		m := &mem.Memory{}
		m.Alloc("a", 8)
		b, err := m.Bytes(m.Alloc("b", 8), 8)
		if err != nil {
			t.Fatal(err)
		}
		b[7] = last
		return m
	}
	if d := difference(fill(1), fill(1)); d != "" {
		t.Errorf("equal memories: %s", d)
	}
	if d := difference(fill(1), fill(2)); d != "buffer b differs from what plain execution leaves" {
		t.Errorf("got %q", d)
	}
}
