package probe

import (
	"strings"
	"testing"

	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/cuasm"
)

// The times of fences come from Huerta et al.'s simulator of an RTX A6000.
func TestAFenceTakesTheTimeOfItsScope(t *testing.T) {
	for suffix, want := range map[string]int{"SC.CTA": 53, "SC.GPU": 186, "SC.SYS": 2900, "ALL.GPU": 186} {
		text := "[B------:R-:W-:-:S06] MEMBAR." + suffix + ";\n[B------:R-:W-:-:S01] FFMA R1, R2, R3, R4;\n"
		list, err := cuasm.Read("x.sass", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		code := list[0].Insts
		cfg := machinetest.Config(t, config.Request{GPU: "rtx-a6000", Set: Settings(code)})
		r, err := Run(cfg, code, strings.Split(text, "\n"), Spec{Warps: 1, Repeat: 8, File: "x.sass"})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Instructions[1].Stages[0] - r.Instructions[0].Stages[0]; got != want {
			t.Errorf("%s: the next instruction issues %d cycles later, want %d", suffix, got, want)
		}
	}
}
