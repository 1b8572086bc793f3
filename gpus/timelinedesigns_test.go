package gpus_test

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/timeline"
)

func TestEveryDesignIsDrawnAndProfiledWithEveryAccount(t *testing.T) {
	for _, design := range machinetest.Part(4, config.DesignNames()) {
		ran := false
		for _, gpu := range append([]string{"gtx980"}, config.Names()...) {
			c, err := config.Load(config.Request{GPU: gpu, Design: design, Set: []string{"sm.count=2",
				"account.reuse=true", "account.live_registers=true", "account.windows=true"}})
			if err == nil && drawTurns(t, c) {
				ran = true
				break
			}
		}
		if !ran {
			t.Errorf("%s fits no GPU", design)
		}
	}
}

// drawTurns draws and profiles a launch on the first SM. It returns false if the machine cannot hold it.
func drawTurns(t *testing.T, c *config.Config) bool {
	t.Helper()
	var out bytes.Buffer
	rec, err := timeline.New(&out, 0, 0, math.MaxUint64)
	if err != nil {
		t.Fatal(err)
	}
	rec.Profile(timeline.NewProfile(1))
	m, err := gpus.New(c, gpus.Options{Timeline: rec})
	if err != nil {
		return false
	}
	if err := machinetest.Launch(t, m, turns, 4, 128, 0); err != nil {
		return false
	}
	if err := rec.Close(nil); err != nil {
		t.Fatal(err)
	}
	var doc traceDoc
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Errorf("%s on %s: %v", c.Design, c.Name, err)
	}
	checkWaits(t, c.Design, rec.Report())
	issues := uint64(0)
	for _, in := range rec.Report().Instructions {
		issues += in.Issues
		for _, h := range in.Holders {
			if h.Access != "read" && h.Access != "write" {
				t.Errorf("%s: an access %q holds a bank", c.Design, h.Access)
			}
		}
	}
	if want := m.Results()[0].SMs[0].WarpInstructions; issues != want || issues == 0 {
		t.Errorf("%s on %s: %d issues in the profile, want %d", c.Design, c.Name, issues, want)
	}
	return true
}

// checkWaits compares the sums of a profile's waits: by instruction, over time, and of the holders. A block before the
// arbiter, as a register cache, makes no wait: some operand is read at once.
func checkWaits(t *testing.T, design string, p *timeline.ProfileReport) {
	t.Helper()
	var instructions, holders, time uint64
	for _, in := range p.Instructions {
		instructions += in.BankWait + in.WriteWait
		for _, h := range in.Holders {
			holders += h.Cycles
		}
	}
	for _, b := range p.Time.Banks {
		for _, n := range b.Cycles {
			time += n
		}
	}
	if instructions != holders || holders != time {
		t.Errorf("%s: %d cycles of waits by instruction, %d of holders, %d over time", design, instructions, holders,
			time)
	}
	if len(p.BankWaits) > 0 && p.BankWaits[0].From != 0 {
		t.Errorf("%s: each operand waits for a bank, at least %d cycles", design, p.BankWaits[0].From)
	}
	if p.Launched == 0 || p.Launched >= p.To-p.From {
		t.Errorf("%s: %d of the cycles %d to %d are in launches, want some, but not those behind the launch", design,
			p.Launched, p.From, p.To)
	}
}
