package launch_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/kernel/compiler"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/launch"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
)

// knownErrors are the ends of the errors of failing programs.
var knownErrors = map[string]string{
	"assertfail": "trap: thread (3,0,0): a.cu:12: assertion failed: x<3 (in f)",
	"v8-global-f16": "found ld.global.v8.f16, expected .v2 or .v4 of at most 16 bytes, or in .global space .v8 of " +
		"elements of 32 bits or .v4 of elements of 64",
	"v8-global-u8": "found ld.global.v8.u8, expected .v2 or .v4 of at most 16 bytes, or in .global space .v8 of " +
		"elements of 32 bits or .v4 of elements of 64",
}

// known runs a program, as parsed or as compiled, and reports how many results its launch file expects.
func known(name string, compile func(*host.Launch) (*ir.Kernel, error)) (expects int, err error) {
	path := filepath.Join("testdata", "known", name)
	text, err := os.ReadFile(path + ".ptx")
	if err != nil {
		return 0, err
	}
	m, err := ptx.Parse(name+".ptx", text)
	if err != nil {
		return 0, err
	}
	file, err := os.ReadFile(path + ".toml")
	if err != nil {
		return 0, err
	}
	p, err := launch.Load(path+".toml", m)
	if err != nil {
		return 0, err
	}
	dev := &mem.Memory{}
	r := &emu.Runner{Mem: dev, Out: io.Discard, Compile: compile}
	return strings.Count(string(file), "[[expect]]"), p.Run(&host.Device{Mem: dev, Runner: r})
}

func TestProgramsWithKnownResultsHaveThem(t *testing.T) {
	files, err := filepath.Glob("testdata/known/*.ptx")
	if err != nil || len(files) < 10 {
		t.Fatalf("found %d programs, %v", len(files), err)
	}
	compiled := func(l *host.Launch) (*ir.Kernel, error) {
		return compiler.Compile(l.Module.Kernel(l.Kernel), compiler.Options{})
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".ptx")
		for _, compile := range []func(*host.Launch) (*ir.Kernel, error){nil, compiled} {
			expects, err := known(name, compile)
			want, ends := knownErrors[name]
			switch {
			case !ends && err != nil:
				t.Errorf("%s: %v", name, err)
			case !ends && expects == 0:
				t.Errorf("%s: found no [[expect]]", name)
			case ends && (err == nil || !strings.HasSuffix(strings.Split(err.Error(), "\n")[0], want)):
				t.Errorf("%s: found %v, expected %s", name, err, want)
			}
		}
	}
}
