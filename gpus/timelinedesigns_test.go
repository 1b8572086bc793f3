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
	for _, design := range config.DesignNames() {
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
