package gpus

import (
	"strings"
	"testing"

	"kumiko/gpus/config"
)

// The building of the machine refuses what the reading of a configuration cannot know.
func TestTheSettingThatNoMachineCanHaveIsBlamedAmongOthers(t *testing.T) {
	for set, want := range map[string]string{
		"sm.units.fma.latency=2": "sm.units.fma.latency: found 2, expected at least 4",
		"sm.writeback_ports=1":   "sm.writeback_ports: found 1, expected 2 to 64",
	} {
		c, err := config.Load(config.Request{GPU: "rtx-a6000", Set: []string{"slice.sms=2", set, "mem.l1.latency=40"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err = New(c, Options{}); err == nil || !strings.HasPrefix(err.Error(), "--set "+set+": "+want) {
			t.Errorf("error %v, want one that begins with --set %s: %s", err, set, want)
		}
	}
}
