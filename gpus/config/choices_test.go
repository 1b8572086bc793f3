package config

import (
	"slices"
	"testing"
)

func TestTheChoicesOfASettingAreTheWordsThatItAccepts(t *testing.T) {
	for _, k := range []struct {
		r    Request
		key  string
		want []string
	}{
		{Request{GPU: "gtx980"}, "mem.backing", []string{"dram", "fixed"}},
		{Request{GPU: "gtx980"}, "cta.switching", []string{"none", "virtual-thread", "finereg", "reg-dram"}},
		{Request{GPU: "maxwell", Design: "ltrf"}, "regfile.ltrf.liveness", []string{"none", "dynamic", "vector"}},
		{Request{GPU: "gtx980"}, "sm.count", nil},
		{Request{GPU: "gtx980"}, "no.such.key", nil},
		{Request{GPU: "no-such-gpu"}, "mem.backing", nil},
	} {
		if got := Choices(k.r, k.key); !slices.Equal(got, k.want) {
			t.Errorf("%s: %q, want %q", k.key, got, k.want)
		}
	}
}

func TestEveryChoiceOfASettingIsAccepted(t *testing.T) {
	for _, key := range []string{"sched.policy", "mem.l1.write", "compiler.bank_policy", "mem.dram.scheduler"} {
		choices := Choices(Request{GPU: "gtx980"}, key)
		if len(choices) < 2 {
			t.Errorf("%s: %q, want several", key, choices)
		}
		for _, v := range choices {
			if _, err := Load(Request{GPU: "gtx980", Set: []string{key + "=" + v}}); err != nil {
				t.Errorf("%s=%s: %v", key, v, err)
			}
		}
	}
}

func TestAnUnknownChoiceIsAnsweredWithTheNearest(t *testing.T) {
	_, err := Load(Request{GPU: "gtx980", Set: []string{"sched.policy=gt0"}})
	const want = "--set sched.policy=gt0: sched.policy: found gt0, expected lrr, greedy, gto, cggty, oldest, " +
		"two-level or fetch-group; did you mean gto?"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
