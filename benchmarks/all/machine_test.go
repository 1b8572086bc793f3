package all_test

import (
	"bytes"
	"io"
	"testing"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/compiler"
	"kumiko/kernel/compiler/alloc"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// memoryAfter runs an application at size test and returns all memory contents afterwards, and the bytes spilled
// per thread. opt is nil for the kernels as written.
func memoryAfter(t *testing.T, app *benchmarks.App, opt *compiler.Options) (regions []mem.Region, spilled int) {
	t.Helper()
	dev := &mem.Memory{}
	r := &emu.Runner{Mem: dev, Out: io.Discard}
	if opt != nil {
		done := map[*ir.Kernel]*ir.Kernel{}
		r.Compile = func(l *host.Launch) (*ir.Kernel, error) {
			k := l.Module.Kernel(l.Kernel)
			if done[k] == nil {
				c, report, err := compiler.CompileReport(k, *opt)
				if err != nil {
					return nil, err
				}
				done[k] = c
				spilled += report.Spilled
			}
			return done[k], nil
		}
	}
	execute(t, app, dev, r)
	return dev.Regions(), spilled
}

// TestMachineFormLeavesTheSameMemory compares the memory of every built-in application after a run as written with
// the memory after a run in machine form, byte for byte: with enough registers, with the minimum, and under each
// policy of choosing registers.
func TestMachineFormLeavesTheSameMemory(t *testing.T) {
	spilled := 0
	for _, app := range machinetest.Part(4, benchmarks.List()) {
		t.Run(app.Name, func(t *testing.T) {
			want, _ := memoryAfter(t, app, nil)
			for _, opt := range []compiler.Options{
				{Policy: alloc.FirstFree}, {Policy: alloc.Rotate}, {Policy: alloc.LeastConflict},
				{Registers: alloc.MinRegisters}, {Registers: alloc.MinRegisters + 8, FirstUse: true},
				{Off: compiler.AllSteps()},
			} {
				got, spills := memoryAfter(t, app, &opt)
				if opt.Registers > 0 {
					spilled += spills
				}
				if len(got) != len(want) {
					t.Fatalf("%+v: %d regions, want %d", opt, len(got), len(want))
				}
				for i := range want {
					if !bytes.Equal(got[i].Data, want[i].Data) {
						t.Errorf("%+v: %s differs from what the kernels leave as written", opt, want[i].Name)
					}
				}
			}
		})
	}
	if spilled == 0 {
		t.Error("no kernel spilled under the tight limits")
	}
}
