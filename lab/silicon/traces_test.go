package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/result"
	"kumiko/kernel/sass"
	"kumiko/kernel/stream"
)

// replayed simulates a trace without control words.
func replayed(t *testing.T, file string, set ...string) result.Kernel {
	t.Helper()
	l, err := sass.Load(file, sass.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(config.Request{GPU: "h100-pcie", Set: set})
	if err != nil {
		t.Fatal(err)
	}
	m, err := gpus.New(cfg, gpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const ahead = 4
	r := gpus.Replay{Kernel: l.Kernel, Grid: l.Grid, Block: l.Block, SharedBytes: l.SharedBytes, Wordless: true,
		Open: func() (stream.OpenSource, error) { return l.Source(ahead), nil }}
	if err := m.Replay(&r); err != nil {
		t.Fatal(err)
	}
	return m.Results()[0]
}

// chain writes a trace of a loop of dependent multiply-adds, as Accel-Sim's tracer does.
func chain(t *testing.T, passes int) string {
	t.Helper()
	const adds = 128
	var b strings.Builder
	fmt.Fprintf(&b, "-kernel name = chain\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n"+
		"-nregs = 24\n-binary version = 90\n-cuda stream id = 0\n-shmem base_addr = 0x00007f5e00000000\n"+
		"-local mem base_addr = 0x00007f5ddd000000\n-nvbit version = 1.7.4\n-accelsim tracer version = 5\n"+
		"-enable lineinfo = 0\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = %d\n", passes*(adds+2)+1)
	for range passes {
		for i := range adds {
			fmt.Fprintf(&b, "%04x ffffffff 1 R3 FFMA 2 R3 R0 0 0\n", 16*i)
		}
		fmt.Fprintf(&b, "%04x ffffffff 0 ISETP.LE.AND 1 R2 0 0\n%04x ffffffff 0 BRA 0 0 0\n", 16*adds, 16*(adds+1))
	}
	fmt.Fprintf(&b, "%04x ffffffff 0 EXIT 0 0 0\n\n#END_TB\n", 16*(adds+2))
	file := filepath.Join(t.TempDir(), "kernel-1.traceg")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// An H100 PCIe takes 5,205 to 5,418 cycles for ten passes of the loop (sarchlab/mgpusim, nvidia/data, ffmakernel).
func TestDependentMultiplyAddsOfATraceTakeFourCycles(t *testing.T) {
	few, many := replayed(t, chain(t, 20)), replayed(t, chain(t, 40))
	if few.ControlWords != result.MadeWords {
		t.Errorf("control words %q, want %q", few.ControlWords, result.MadeWords)
	}
	got := float64(many.Cycles-few.Cycles) / 2
	if got < 5205*0.97 || got > 5418*1.03 {
		t.Errorf("%.0f cycles for ten passes, measured are 5205 to 5418", got)
	}
}

func TestTheTracedMultiplyAddsTakeTheMeasuredCycles(t *testing.T) {
	const dir = "../../../shared/data/traces/ffma/"
	text, err := os.ReadFile(dir + "gt")
	if os.IsNotExist(err) {
		t.Skipf("the trace is not there: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	measured, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(dir + "*.traceg")
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v; want one trace", files, err)
	}
	// An H100 takes 4,300 cycles more than the passes, some of them for misses of the instruction cache.
	got := replayed(t, files[0], "gpu.launch_cycles=4300")
	t.Logf("%d cycles, measured are %.0f", got.Cycles, measured)
	if off := math.Abs(float64(got.Cycles)/measured - 1); off > 0.12 {
		t.Errorf("%d cycles, measured are %.0f", got.Cycles, measured)
	}
}
