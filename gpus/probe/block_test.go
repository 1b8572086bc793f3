package probe

import (
	"strings"
	"testing"

	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/cuasm"
)

// blocked runs loads by blocks of lanes, each block beginning apart bytes after the previous one.
func blocked(t *testing.T, op string, block, apart int) (*Result, error) {
	t.Helper()
	text := ""
	for _, r := range []string{"R8", "R12", "R16", "R20"} {
		text += op + " " + r + ", [R2];\n"
	}
	list, err := cuasm.Read("x.sass", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	code := list[0].Insts
	cfg := machinetest.Config(t, config.Request{GPU: "rtx-a6000", Set: Settings(code)})
	if code, _, err = Words(cfg, code, nil, OfGPU); err != nil {
		t.Fatal(err)
	}
	return Run(cfg, code, strings.Split(text, "\n"),
		Spec{Warps: 16, Repeat: 16, Stride: &apart, Block: block, Fitted: true, File: "x.sass"})
}

// Each of four blocks of eight words begins two banks after the previous one. All four blocks use the last two
// banks of the first block: four cycles, as measured (te42kyfo/gpu-benches, gpu-strides).
func TestBlocksOfLanesLieSoFarApart(t *testing.T) {
	for block, want := range map[int]float64{8: 4, 32: 2} {
		r, err := blocked(t, "LDG.E", block, 4*4098)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Cycles / 16; got != want {
			t.Errorf("blocks of %d lanes: %v cycles, want %v", block, got, want)
		}
	}
}

func TestSharedMemoryHasNoBlocks(t *testing.T) {
	r, err := blocked(t, "LDS", 8, 4*4098)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Cycles / 16; got != 2 {
		t.Errorf("%v cycles, want 2, as side by side", got)
	}
}

func TestABlockHasAtMostTheLanesOfAWarp(t *testing.T) {
	if _, err := blocked(t, "LDG.E", 33, 8); err == nil || !strings.Contains(err.Error(), "expected 1 to 32") {
		t.Errorf("error %v, want one that says 1 to 32", err)
	}
}
