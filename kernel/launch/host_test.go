package launch_test

import (
	"os"
	"path/filepath"
	"testing"

	"kumiko/kernel/compiler"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/launch"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
)

// PTX made by clang from a C++ function, run as parsed and as machine code, is compared bit for bit with the
// results of the same function on the host (testdata/host/README.md).
func TestCompiledProgramsComputeWhatTheHostDoes(t *testing.T) {
	asParsed := func(k *ir.Kernel) (*ir.Kernel, error) {
		cfg.Build(k.Insts).SetReconv(k.Insts)
		return k, nil
	}
	asCompiled := func(k *ir.Kernel) (*ir.Kernel, error) { return compiler.Compile(k, compiler.Options{}) }
	for _, file := range []string{"device_O0.ptx", "device_O2.ptx"} {
		for name, prepare := range map[string]func(*ir.Kernel) (*ir.Kernel,
			error){"as parsed": asParsed, "as compiled": asCompiled} {
			t.Run(file+" "+name, func(t *testing.T) {
				src, err := os.ReadFile(filepath.Join("testdata", "host", file))
				if err != nil {
					t.Fatal(err)
				}
				m, err := ptx.Parse(file, src)
				if err != nil {
					t.Fatal(err)
				}
				p, err := launch.Load(filepath.Join("testdata", "host", "launch.toml"), m)
				if err != nil {
					t.Fatal(err)
				}
				r := &emu.Runner{Mem: &mem.Memory{},
					Compile: func(l *host.Launch) (*ir.Kernel, error) { return prepare(l.Module.Kernel(l.Kernel)) }}
				if err := p.Run(&host.Device{Mem: r.Mem, Runner: r}); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
