package all_test

import (
	"io"
	"testing"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/pairs"
	"kumiko/kernel/host"
)

// request is a design on gtx980 with two SMs, for machine code of sm_52.
func request(design string, set []string) config.Request {
	set = append([]string{"slice.sms=2", "compiler.code=sm_52"}, set...)
	if design == "unified" {
		set = append(set, "sm.registers=30720") // its 128 KB hold fewer registers than a GTX 980 has
	}
	return config.Request{GPU: "gtx980", Design: design, Set: set}
}

// codeDesigns lists the presets and the pairs running on gtx980, with their settings.
func codeDesigns(t *testing.T) (out []config.Request) {
	t.Helper()
	presets, err := pairs.Presets("gtx980")
	if err != nil {
		t.Fatal(err)
	}
	list, err := pairs.List("gtx980")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, p := range presets {
		if p.Why == "" {
			seen[p.Design] = true
			out = append(out, request(p.Design, p.Sets))
		}
	}
	for _, p := range list {
		if p.Why == "" && !seen[p.Design] {
			seen[p.Design] = true
			out = append(out, request(p.Design, p.Sets))
		}
	}
	return out
}

// The packed code needs no assembler. A plain test runs one program on each design, in turn; with -wide every program
// runs on every design (make machine).
func TestMachineCodeIsRightOnEveryDesignAndPair(t *testing.T) {
	programs := benchmarks.List()
	designs := codeDesigns(t)
	if len(designs) < 60 {
		t.Fatalf("%d designs and pairs, expected at least 60", len(designs))
	}
	runs := 0
	for i, r := range machinetest.Part(3, designs) {
		cfg, err := config.Load(r)
		if err != nil {
			t.Errorf("%s: %v", r.Design, err)
			continue
		}
		for _, a := range machinetest.Turns(i, programs) {
			m, err := gpus.New(cfg, gpus.Options{Check: true, Printf: io.Discard})
			if err != nil {
				t.Fatalf("%s: %v", r.Design, err)
			}
			p, err := a.New(benchmarks.Test)
			if err == nil {
				err = p.Run(&host.Device{Mem: m.Memory(), Runner: m})
			}
			if err != nil {
				t.Errorf("%s %q on %s: %v", r.Design, r.Set, a.Name, err)
			}
			runs++
		}
	}
	t.Logf("%d runs on %d designs and pairs", runs, len(designs))
}
