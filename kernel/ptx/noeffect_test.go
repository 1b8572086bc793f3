package ptx

import (
	"strings"
	"testing"
)

func TestInstructionsWithoutAnEffectHereBuildNothing(t *testing.T) {
	for _, in := range []string{"griddepcontrol.launch_dependents;", "griddepcontrol.wait;", "nanosleep.u32 %r1;",
		"nanosleep.u32 100;", "pmevent 15;", "pmevent.mask 0xffff;", "prefetch.tensormap [%d1];",
		"prefetch.const.tensormap [%d1];", "prefetch.param::entry.tensormap [a];"} {
		if got := text(kernel(t, in)); got != "" {
			t.Errorf("%s builds %s", in, got)
		}
	}
	for _, in := range []string{"fence.proxy.tensormap::generic.release.gpu;",
		"fence.proxy.tensormap::generic.acquire.gpu [%d1], 128;",
		"fence.proxy.tensormap::generic.acquire.cta [%d1], 128;",
		"fence.acquire.sync_restrict::shared::cluster.cluster;", "membar.proxy.async;"} {
		if got := text(kernel(t, in)); !strings.HasPrefix(got, "membar") || strings.Contains(got, "\n") {
			t.Errorf("%s builds %s", in, got)
		}
	}
}

func TestInstructionsWithoutAnEffectHaveTheirOperandsChecked(t *testing.T) {
	for in, want := range map[string]string{
		"griddepcontrol;":                        "found griddepcontrol, expected .launch_dependents",
		"griddepcontrol.wait %r1;":               "found 1 operands of griddepcontrol.wait, expected 0",
		"griddepcontrol.launch_dependents.wait;": "found",
		"nanosleep.u32;":                         "found 0 operands of nanosleep.u32, expected 1",
		"nanosleep.u32 %d1;":                     "found the .b64 register %d1",
		"pmevent 16;": "found a constant in pmevent, expected a number " +
			"from 0 to 15",
		"pmevent %r1;": "found %r1 in pmevent, expected a number from 0 " +
			"to 15",
		"prefetch.tensormap [%x];": "found %x",
		"discard.global.L2 [%d1], 64;": "found a constant as the size of " +
			"discard.global.L2, expected 128",
		"discard.global.L2::evict_normal [%d1], 128;":            "evict_normal, expected .L2",
		"applypriority.global.L2 [%d1], 128;":                    "expected .L2::evict_normal",
		"fence.proxy.tensormap::generic.acquire.gpu [%d1], 64;":  "expected 128",
		"fence.proxy.tensormap::generic.acquire.gpu;":            "found 0 operands",
		"fence.proxy.tensormap::generic.release.gpu [%d1], 128;": "found 2 operands",
		"membar.gl %r1;": "found 1 operands of membar.gl, expected 0",
	} {
		if got := refusal(t, in); !strings.Contains(got, want) {
			t.Errorf("%s: got:\n%s\nwant:\n%s", in, got, want)
		}
	}
}
