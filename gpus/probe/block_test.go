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
	return loads(t, op, "rtx-a6000", Spec{Block: block, Stride: &apart})
}

// loads runs loads by 16 warps.
func loads(t *testing.T, op, gpu string, s Spec) (*Result, error) {
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
	cfg := machinetest.Config(t, config.Request{GPU: gpu, Set: Settings(code)})
	if code, _, err = Words(cfg, code, nil, OfGPU); err != nil {
		t.Fatal(err)
	}
	s.Warps, s.Repeat, s.Fitted, s.File = 16, 16, true, "x.sass"
	return Run(cfg, code, strings.Split(text, "\n"), s)
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

// The seven lines of a load of words 28 bytes apart are in four banks of tags: two cycles, as measured on an H100.
func TestFixedLoadsAreAllAtTheSameAddresses(t *testing.T) {
	apart := 28
	r, err := loads(t, "LDG.E", "h100", Spec{Stride: &apart, Fixed: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Cycles / 16; got != 2 {
		t.Errorf("%v cycles, want 2", got)
	}
	if r, err = loads(t, "LDG.E", "h100", Spec{Stride: &apart}); err != nil || r.Cycles/16 <= 2 {
		t.Errorf("%v cycles and error %v of loads at other lines, want more than 2: some of them have three in a bank",
			r.Cycles/16, err)
	}
}
