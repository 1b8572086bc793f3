package probe

import (
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/kernel/cuasm"
	"kumiko/sm/occupancy"
)

// takes reports whether the machine, without the changes of a probe, can be built and holds a CTA. A register file that
// stores by value is no machine for a probe, whose instructions have no values.
func takes(gpu, design string) bool {
	cfg, err := config.Load(config.Request{GPU: gpu, Design: design, Set: []string{"sm.count=1"}})
	if err != nil || cfg.RegFile.Values() {
		return false
	}
	if _, err = gpus.New(cfg, gpus.Options{}); err != nil {
		return false
	}
	_, err = cfg.CTAs(occupancy.CTA{Threads: 128, Registers: 32})
	return err == nil
}

// Machines with dependences by control words get the words of the compiler.
func TestEveryDesignThatAGPUTakesCanBeProbed(t *testing.T) {
	names, least := config.Names(), 100
	if testing.Short() {
		names, least = []string{"gtx980"}, 30
	}
	probed := 0
	for _, gpu := range names {
		for _, design := range config.DesignNames() {
			if !takes(gpu, design) {
				continue
			}
			for _, text := range []string{"FADD R1, R2, R3;", "FFMA R4, R1, R3, R5;", "LDG.E R6, [R8];",
				"LDS R7, [R10];", "STG.E [R8], R7;"} {
				list, err := cuasm.Read("x.sass", []byte(text))
				if err != nil {
					t.Fatal(err)
				}
				code := list[0].Insts
				cfg, err := config.Load(config.Request{GPU: gpu, Design: design, Base: Settings(code)})
				if err != nil {
					t.Fatalf("%s, %s: %v", gpu, design, err)
				}
				if cfg.SM.Scheduler.Controlled() {
					if code, _, err = Words(cfg, code, nil, OfGPU); err != nil {
						t.Fatalf("%s, %s: %v", gpu, design, err)
					}
				}
				spec := Spec{Warps: 4, Repeat: 16, Check: true, Fitted: cfg.SM.Scheduler.Controlled()}
				r, err := Run(cfg, code, []string{text}, spec)
				if err != nil || r.Cycles <= 0 || len(r.Instructions) != 1 {
					t.Errorf("%s, %s: %s: %+v, %v", gpu, design, text, r, err)
				}
				probed++
			}
		}
	}
	if probed < least {
		t.Errorf("%d probes, want at least %d", probed, least)
	}
}
