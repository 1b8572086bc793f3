package inspect

import (
	"errors"
	"io"
	"path/filepath"
	"testing"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/cmd/kumiko/internal/cli/programs"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/stream"
)

// executedRunner makes a machine compile each kernel at its first launch, and executes the launch without the
// machine.
type executedRunner struct {
	emu.Runner
	machine *gpus.Machine
	// blocks are the CTAs listed for a kernel of a benchmark, for kernels with other CTAs at a small size
	blocks  map[string][3]int
	last    *ir.Kernel
	kernels map[string]*ir.Kernel
}

var errCompiled = errors.New("compiled")

func newExecutedRunner(t *testing.T, cfg *config.Config) *executedRunner {
	t.Helper()
	r := &executedRunner{blocks: map[string][3]int{}, kernels: map[string]*ir.Kernel{}}
	record := func(k *ir.Kernel, _, _ [3]int, _ int, _ stream.OpenSource) (stream.OpenSource, error) {
		r.last = k
		return nil, errCompiled
	}
	m := machinetest.Of(t, cfg, gpus.Options{Record: record})
	r.machine = m
	r.Mem, r.Out = &mem.Memory{}, io.Discard // not the machine's: the machine executes ahead of its timing
	r.Compile = func(l *host.Launch) (*ir.Kernel, error) { return r.kernels[l.Kernel], nil }
	return r
}

// Launch implements host.Runner.
func (r *executedRunner) Launch(l *host.Launch) error {
	if r.kernels[l.Kernel] == nil {
		listed := *l
		if b := r.blocks[l.Kernel]; b != ([3]int{}) {
			listed.Block = b
		}
		if err := r.machine.Launch(&listed); !errors.Is(err, errCompiled) {
			return err
		}
		r.kernels[l.Kernel] = r.last
	}
	return r.Runner.Launch(l)
}

func TestInspectShowsTheCodeThatRuns(t *testing.T) {
	names := config.Names()
	for number, app := range benchmarks.List() {
		for g, gpu := range names {
			if testing.Short() && (number%4 != 0 || (number/4+g)%len(names) != 0) {
				continue
			}
			cfg := machinetest.Config(t, config.Request{GPU: gpu})
			p, err := app.New(benchmarks.Test)
			if err != nil {
				t.Fatal(err)
			}
			r := newExecutedRunner(t, cfg)
			for _, k := range app.Kernels {
				r.blocks[k.Name] = k.Block
			}
			if err := p.Run(&host.Device{Mem: r.Mem, Runner: r}); err != nil {
				t.Errorf("%s on %s: %v", app.Name, gpu, err)
				continue
			}
			sameCode(t, app.Name, &inspectFlags{}, cfg, r)
		}
	}
}

func TestInspectWithALaunchFileShowsTheCodeThatRuns(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "..", "..", "kernel", "launch", "testdata")
	program := filepath.Join(dir, "tiles.ptx")
	for _, gpu := range []string{"gtx980", "fermi", "rtx-a6000"} {
		cfg := machinetest.Config(t, config.Request{GPU: gpu})
		f := &inspectFlags{}
		f.values.what.Launch = filepath.Join(dir, "gemm.toml")
		m, err := programs.Module(t.Context(), program, f.values.what.Limits.Launch.PTX, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		r := newExecutedRunner(t, cfg)
		args := []host.Arg{host.U64(0), host.U64(0), host.U64(0), host.S32(16), host.S32(16), host.S32(16)}
		err = r.machine.Launch(&host.Launch{Module: m, Kernel: "product", Grid: [3]int{1, 1, 1},
			Block: [3]int{16, 16, 1}, Args: args})
		if !errors.Is(err, errCompiled) {
			t.Fatal(err)
		}
		r.kernels["product"] = r.last
		f.kernel = "product"
		sameCode(t, program, f, cfg, r)
	}
}

// A small lattice of lbm has shorter rows, and its CTAs are its rows.
func TestInspectShowsTheCodeOfASizeForTheLaunchesOfThisSize(t *testing.T) {
	cfg := machinetest.Config(t, config.Request{GPU: "gtx980"})
	app := benchmarks.Find("lbm")
	p, err := app.New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	r := newExecutedRunner(t, cfg)
	if err := p.Run(&host.Device{Mem: r.Mem, Runner: r}); err != nil {
		t.Fatal(err)
	}
	f := &inspectFlags{}
	for size, threads := range map[string]int{"": 120, "test": 24} {
		f.values.what.Size = size
		list, err := f.compiled(t.Context(), app.Name, cfg, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		if got := list[0].launched.Threads; got != threads {
			t.Errorf("size %q: compiled for CTAs of %d threads, want %d", size, got, threads)
		}
	}
	f.values.what.Size = benchmarks.Test.String()
	sameCode(t, app.Name, f, cfg, r)
}

// sameCode compares a program's kernels shown by inspect with the kernels executed by a machine. Registers,
// footprint, intervals and banks follow from the code and the footprint.
func sameCode(t *testing.T, program string, f *inspectFlags, cfg *config.Config, r *executedRunner) {
	t.Helper()
	list, err := f.compiled(t.Context(), program, cfg, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, k := range list {
		ran := r.kernels[k.Name]
		if ran == nil {
			continue
		}
		seen++
		if k.Footprint != ran.Footprint || k.NumRegs != ran.NumRegs || len(k.Insts) != len(ran.Insts) {
			t.Errorf("%s, %s on %s: %d registers, %d charged and %d instructions are shown, %d, %d and %d ran", program,
				k.Name, cfg.Name, k.NumRegs, k.Footprint, len(k.Insts), ran.NumRegs, ran.Footprint, len(ran.Insts))
			continue
		}
		for pc := range k.Insts {
			if a, b := k.Insts[pc].String(), ran.Insts[pc].String(); a != b {
				t.Errorf("%s, %s on %s: %s is shown at %d, %s ran", program, k.Name, cfg.Name, a, pc, b)
				break
			}
		}
	}
	if seen != len(r.kernels) {
		t.Errorf("%s on %s: %d of %d kernels that ran are shown", program, cfg.Name, seen, len(r.kernels))
	}
}
