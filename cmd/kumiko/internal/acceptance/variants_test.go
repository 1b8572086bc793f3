package acceptance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Other code of the same source, on another GPU, with spills.
func TestProgramsComputeTheSameHoweverCompiled(t *testing.T) {
	variants, registers, chips := []string{"_O0", "_sm70"}, []int{20, 24, 32}, []string{"fermi", "gtx980"}
	for i, p := range programs {
		v, n, g := variants[i%2], registers[i%3], chips[i/2%2]
		t.Run(fmt.Sprintf("%s%s %d registers %s", p.name, v, n, g), func(t *testing.T) {
			k := newKit(t, p.name, v)
			p.make(k)
			k.registers(n)
			r := k.simulate("--gpu", g, "--set", "slice.sms=2")
			for _, l := range r.Kernels {
				if l.RegistersPerThread != n {
					t.Errorf("%s: %d registers per thread, want %d", l.Name, l.RegistersPerThread, n)
				}
			}
		})
	}
}

// Every slot of every cycle has one reason, and the totals are sums.
func TestTheResultAddsUp(t *testing.T) {
	k := newKit(t, "globals", "")
	globals(k)
	r := k.simulate("--gpu", "fermi", "--set", "slice.sms=2")
	if len(r.Kernels) != 4 {
		t.Fatalf("%d kernels, want 4", len(r.Kernels))
	}
	var cycles, warps uint64
	for _, l := range r.Kernels {
		slots := uint64(0)
		for _, n := range l.IssueSlots {
			slots += n
		}
		// Fermi as in Gebhart et al.: one single-issue scheduler per SM; two SMs.
		if slots != 2*l.Cycles {
			t.Errorf("%s: %d issue slots, want %d", l.Name, slots, 2*l.Cycles)
		}
		cycles, warps = cycles+l.Cycles, warps+l.WarpInstructions
	}
	if r.Total.Cycles != cycles || r.Total.WarpInstructions != warps {
		t.Errorf("total %d cycles and %d warp instructions, want %d and %d", r.Total.Cycles, r.Total.WarpInstructions,
			cycles, warps)
	}
}

func TestASavedBufferIsWhatTheKernelLeft(t *testing.T) {
	k := newKit(t, "mandelbrot", "")
	mandelbrot(k)
	out := filepath.Join(k.dir, "results")
	k.simulate("--set", "slice.sms=2", "--out", out)
	want, err := os.ReadFile(filepath.Join(k.dir, "out.bin"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(out, "image", "mandelbrot.bin"))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes saved, %v; they differ from the %d expected", len(got), err, len(want))
	}
	doc, err := os.ReadFile(filepath.Join(out, "result.json"))
	if err != nil || !json.Valid(doc) {
		t.Errorf("result.json: %v", err)
	}
}
