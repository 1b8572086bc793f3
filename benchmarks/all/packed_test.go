package all_test

import (
	"crypto/sha256"
	"slices"
	"testing"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/cubin"
	"kumiko/kernel/cubin/packed"
	"kumiko/kernel/cubin/tools"
	"kumiko/kernel/ir"
)

// moduleOf returns the PTX of an application.
func moduleOf(t *testing.T, app *benchmarks.App, size benchmarks.Size) *ir.Module {
	t.Helper()
	p, err := app.New(size)
	if err != nil {
		t.Fatal(err)
	}
	return p.(interface{ Module() *ir.Module }).Module()
}

// This needs no assembler: PTXAS is not set, and an assembler in PATH is not asked for code that is packed.
func TestEveryProgramCarriesTheMachineCodeOfItsPTXForEveryArchitecture(t *testing.T) {
	t.Setenv("PTXAS", "")
	for _, app := range machinetest.Part(3, benchmarks.List()) {
		m := moduleOf(t, app, benchmarks.Test)
		hash := sha256.Sum256(m.Source.Text)
		for _, size := range []benchmarks.Size{benchmarks.Small, benchmarks.Study} {
			if other := moduleOf(t, app, size); sha256.Sum256(other.Source.Text) != hash {
				t.Errorf("%s has other PTX at size %s, and no code for it", app.Name, size)
			}
		}
		for _, arch := range []int{52, 70, 75, 80, 86, 90} {
			if !packed.Has(packed.Key{PTX: hash, Arch: arch}) {
				t.Errorf("%s for sm_%d is not that of its PTX, which has changed: run make packed", app.Name, arch)
				continue
			}
			for _, k := range m.Kernels {
				c, err := cubin.Compile(cubin.Request{Arch: arch, Module: m, Kernel: k.Name})
				if err != nil {
					t.Errorf("%s: %v", app.Name, err)
				} else if want := packed.Assembler() + ", packed"; c.File.Assembler != want || len(c.Insts) == 0 {
					t.Errorf("%s: %d instructions by %s, want some by %s", app.Name, len(c.Insts),
						c.File.Assembler, want)
				}
			}
		}
	}
}

// With -short that of a few programs is made again.
func TestThePackedCodeIsWhatTheAssemblerMakes(t *testing.T) {
	at, err := tools.Find()
	if err != nil {
		t.Skip(err)
	}
	if x := packed.Contents(); "ptxas "+at.Version != x.Assembler || "nvdisasm "+at.Disassembler != x.Disassembler {
		t.Skipf("ptxas %s and nvdisasm %s are installed, and the code is by %s and %s", at.Version, at.Disassembler,
			x.Assembler, x.Disassembler)
	}
	for _, app := range benchmarks.List() {
		if testing.Short() && !slices.Contains([]string{"kmeans", "sgemm", "synthetic"}, app.Name) {
			continue
		}
		m := moduleOf(t, app, benchmarks.Test)
		for _, p := range packed.Contents().Programs {
			if p.PTX != sha256.Sum256(m.Source.Text) {
				continue
			}
			for _, v := range p.Code {
				f, err := cubin.Assemble(at, cubin.Request{Arch: v.Arch, Module: m, Registers: v.Registers})
				if err != nil {
					t.Fatal(err)
				}
				text, err := packed.Find(packed.Key{PTX: p.PTX, Arch: v.Arch, Registers: v.Registers})
				if err != nil || f.Listing() != text {
					t.Errorf("%s for %s is not what the assembler makes of its PTX (%v): run make packed", app.Name, v,
						err)
				}
			}
		}
	}
}

// On sm_90 a cubin counts the system's KiB with a kernel's shared memory. occupancy.shared_reserved charges it.
func TestTheSystemsSharedMemoryIsChargedOnce(t *testing.T) {
	t.Setenv("PTXAS", "")
	cfg := machinetest.Config(t, config.Request{GPU: "h100", Set: []string{"compiler.code=sm_90"}})
	for name, want := range map[string]int{"sgemm": 512, "vecadd": 0} {
		m := machinetest.Of(t, cfg, gpus.Options{Check: true})
		execute(t, benchmarks.Find(name), m.Memory(), m)
		if got := m.Results()[0].SharedBytes; got != want {
			t.Errorf("%s has %d bytes of shared memory, want %d", name, got, want)
		}
	}
}
