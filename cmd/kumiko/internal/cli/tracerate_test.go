package cli_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/gpus/result"
)

// warpgroupTrace is a trace of one warpgroup that multiplies n times 64x256x16.
func warpgroupTrace(n int) string {
	var b strings.Builder
	b.WriteString("-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (128,1,1)\n-shmem = 0\n" +
		"-nregs = 255\n-binary version = 90\n-cuda stream id = 0\n-shmem base_addr = 0x00007f0000000000\n" +
		"-local mem base_addr = 0x00007e0000000000\n-accelsim tracer version = 3\n#traces format\n#BEGIN_TB\n" +
		"thread block = 0,0,0\n")
	for w := range 4 {
		fmt.Fprintf(&b, "warp = %d\ninsts = %d\n", w, n+1)
		for i := range n {
			fmt.Fprintf(&b, "%04x ffffffff 1 R24 HGMMA.64x256x16.F32.BF16 2 R24 R4 0\n", 16*i)
		}
		fmt.Fprintf(&b, "%04x ffffffff 0 EXIT 0 0\n", 16*n)
	}
	b.WriteString("#END_TB\n")
	return b.String()
}

// A product has 262,144 multiply-adds, and an SM 2,048 per cycle: 128 cycles each (NVIDIA H100 white paper; Luo et al.
// measured 128). A chain on one accumulator waits for each result beside that.
func TestAWarpgroupMultipliesAtTheRateOfItsSM(t *testing.T) {
	dir := t.TempDir()
	const n = 256
	put(t, filepath.Join(dir, "kernelslist.g"), "kernel-1.traceg\n")
	put(t, filepath.Join(dir, "kernel-1.traceg"), warpgroupTrace(n))
	done(t, kumiko(t, dir, "run", "./kernelslist.g", "--gpu", "h100", "--set", "slice.sms=1", "--json", "r.json"))
	var r result.Result
	decode(t, filepath.Join(dir, "r.json"), &r)
	if least := uint64(n * 128); r.Total.Cycles < least || r.Total.Cycles > least*110/100 {
		t.Errorf("%d cycles, want %d and at most a tenth more", r.Total.Cycles, least)
	}
}
