package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/sm/occupancy"
)

// unlike are the limits in which papers' GPUs and a simulator's differ from their chips on purpose.
var unlike = map[string][]string{
	"fermi": {"sm.warps 32, not 48", "sm.threads 1024, not 1536", "sm.shared_bytes 32768, not 49152",
		"sm.cta_shared_bytes 32768, not 49152"}, // Gebhart et al., table 4
	"maxwell":     {"sm.shared_bytes 65536, not 98304"}, // LTRF, table 3
	"maxwell-322": {"sm.shared_bytes 65536, not 98304"}, // as maxwell
}

func TestEveryGPUHasTheLimitsOfItsComputeCapability(t *testing.T) {
	for _, gpu := range Names() {
		c := load(t, gpu)
		if c.Capability == "" {
			t.Errorf("%s names no compute capability", gpu)
		}
		var got []string
		for _, d := range c.Differences() {
			got = append(got, d.String())
		}
		if d := cmp.Diff(unlike[gpu], got); d != "" {
			t.Errorf("%s, compute capability %s (-want +got):\n%s", gpu, c.Capability, d)
		}
	}
}

// CTAs of one warp take nothing but slots.
func TestAnSMHoldsAsManySmallCTAsAsItsComputeCapabilitySays(t *testing.T) {
	for gpu, want := range map[string]int{"fermi": 8, "tesla-c2050": 8, "gtx980": 32, "gtx980-sm52": 32, "titan-v": 32,
		"rtx-2070s": 16, "rtx-a6000": 16, "rtx-3060": 16, "h100": 32, "h100-pcie": 32, "h200": 32} {
		r, err := load(t, gpu).CTAs(occupancy.CTA{Threads: 32, Registers: 16})
		if err != nil || r.CTAs != want {
			t.Errorf("%s: %d CTAs of 32 threads, %v; want %d", gpu, r.CTAs, err, want)
		}
	}
}

// The compiler counts on as many warps and CTAs as the SM can hold.
func TestTheCompilerKnowsTheSlotsOfAnSM(t *testing.T) {
	for _, gpu := range []string{"titan-v", "rtx-2070s", "rtx-a6000", "rtx-3060", "h100", "h200"} {
		if c := load(t, gpu); c.Compiler.CTAs != c.SM.CTAs || c.Compiler.Warps != c.SM.Warps {
			t.Errorf("%s: the compiler counts on %d CTAs and %d warps, an SM has %d and %d", gpu, c.Compiler.CTAs,
				c.Compiler.Warps, c.SM.CTAs, c.SM.Warps)
		}
	}
}

func TestAComputeCapabilityWithoutLimitsIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "g.toml")
	if err := os.WriteFile(file, []byte("base = \"gtx980\"\ncapability = \"5.1\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(Request{GPU: file}); err == nil || !strings.Contains(err.Error(),
		":2:14: capability: found \"5.1\", expected one with known limits: 2.0, 3.5, 5.2, 6.0, "+
			"6.1, 7.0, 7.5, 8.0, 8.6, 8.9, 9.0") {
		t.Errorf("error %v", err)
	}
}
