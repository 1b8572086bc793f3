package validation

import (
	"os"
	"slices"
	"sync"
	"testing"
)

// reference is the folder of GPGPU-Sim's figures, beside the project. document has the measured results.
const (
	reference = "../../../shared/data/reference"
	document  = "../docs/validation/peers.md"
)

// allRequested reports whether all launches and settings are requested, instead of a part of them. All of them take
// minutes:
//
//	KUMIKO_CROSSCHECK=all go test -timeout 30m ./lab/validation
func allRequested() bool { return os.Getenv("KUMIKO_CROSSCHECK") == "all" }

// fast are short launches covering every kernel.
var fast = []string{
	"fma_chain.n50", "fma_ilp4.n50", "fma_1wps", "sfu.1w.n10", "sfu", "smem_stride.s1", "smem_stride.s8",
	"smem_chase.s1.n20",
	"smem_chase.s8.n20", "smem_bw.s1.n5", "smem_bw32.s2.n5", "chase.8k.n50", "chase.512k.n50", "chase.32m.n50",
	"sync.w1.n10", "sync.w8.n10", "sync.w32.n10",
	"hotspot.small", "transpose_tiled.small", "fmaheavy.small", "vecadd.small", "conv7.small", "reduce.small",
}

// fastSettings are settings of both GPUs. Without KUMIKO_CROSSCHECK only their effects are examined, on
// fastKernels.
var (
	fastSettings = []string{"banks_4", "cu_sp_3", "l1d_off", "mshr_8", "dram_half", "sms_8", "sms_30", "icache_perfect",
		"icache_real", "threads_768", "threads_1024", "l2_half"}
	fastKernels = []string{"transpose_tiled", "vecadd", "reduce", "fmaheavy"}
)

func needsReference(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(reference); err != nil {
		t.Skipf("GPGPU-Sim's figures are not there: %v", err)
	}
	if testing.Short() {
		t.Skip("some seconds of simulation")
	}
}

// launches are measured once for all tests.
var launches = sync.OnceValues(func() ([]*Measured, error) {
	list, err := References(reference)
	if err != nil {
		return nil, err
	}
	var done []*Measured
	for i := range list {
		if !allRequested() && !slices.Contains(fast, list[i].Label()) {
			continue
		}
		m, err := Run(&list[i])
		if err != nil {
			return nil, err
		}
		done = append(done, m)
	}
	return done, nil
})

func measured(t *testing.T) []*Measured {
	t.Helper()
	needsReference(t)
	list, err := launches()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// clearEffects returns the effects clear in the reference, with Kumiko's measurements.
func clearEffects(t *testing.T) []Effect {
	t.Helper()
	needsReference(t)
	list, err := Sensitivities(reference)
	if err != nil {
		t.Fatal(err)
	}
	entries := slices.DeleteFunc(list, func(e Entry) bool {
		_, known := Settings(&e)
		switch {
		case !allRequested() && !slices.Contains(fastKernels, e.Kernel):
			return true
		case e.Variant == baseVariant:
			return false
		}
		f := Effect{Entry: e}
		return !known || !f.Clear() || !allRequested() && !slices.Contains(fastSettings, e.Variant)
	})
	effects, err := Effects(entries)
	if err != nil {
		t.Fatal(err)
	}
	return effects
}
