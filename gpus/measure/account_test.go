package measure

import (
	"errors"
	"testing"

	"kumiko/gpus/chip"
	"kumiko/gpus/config"
	"kumiko/gpus/result"
	"kumiko/gpus/stop"
	"kumiko/sm/reason"
)

func TestAFaultInTheAccountOfIssueSlotsStopsTheRun(t *testing.T) {
	c, err := config.Load(config.Request{GPU: "gtx980", Set: []string{"sm.count=1"}})
	if err != nil {
		t.Fatal(err)
	}
	g, err := chip.New(c, false, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := NewMeter(g, &c.SM)
	before := m.Account()
	after := m.Account()
	k := result.Kernel{Name: "k", Counts: result.Counts{Cycles: 10}}
	after.sms[0].slots[0] = 3
	after.sms[0].warp = 3
	after.sms[0].slots[reason.Memory] = 36 // of 40 slots, one is missing
	var fault *stop.Error
	if err := m.Since(&before, &after, &k); !errors.As(err, &fault) || !fault.Check {
		t.Errorf("error %v", err)
	}
	after.stats = m.chip.Stats.Snapshot()
	after.sms[0].slots[reason.Memory] = 37
	k = result.Kernel{Name: "k", Counts: result.Counts{Cycles: 10}}
	if err := m.Since(&before, &after, &k); err != nil {
		t.Errorf("a sound account: %v", err)
	}
}
