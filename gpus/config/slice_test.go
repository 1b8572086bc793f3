package config

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// A quarter of the GTX 980: 4 of 16 SMs, 4 of 16 channels and slices.
func TestASliceThatDividesEvenlyKeepsEveryBlockAsItIs(t *testing.T) {
	whole, part := load(t, "gtx980"), load(t, "gtx980", "slice.sms=4")
	if part.SM.Count != 4 || part.Mem.DRAM.Channels != 4 || part.Mem.L2.Slices != 4 {
		t.Errorf("%d SMs, %d channels, %d slices, want 4 of each", part.SM.Count, part.Mem.DRAM.Channels,
			part.Mem.L2.Slices)
	}
	part.Mem.DRAM.Channels, part.Mem.L2.Slices = whole.Mem.DRAM.Channels, whole.Mem.L2.Slices
	if part.Mem != whole.Mem {
		t.Error("something else changed")
	}
}

// 4 of 15 SMs of the GTX 480 get 1.6 of 6 channels. The slice has two channels at 0.8 of the clock, 924 MHz ->
// 739 MHz, and 0.8 of the timings, tRC 40 -> 32. Of the L2's 768 KB the slice has 204.8 KB: 4 slices of 51.2 KB, 51
// sets of 8 x 128 B.
func TestASliceThatDoesNotDivideEvenlyKeepsBandwidthPerSM(t *testing.T) {
	whole, part := load(t, "gpgpusim-gtx480"), load(t, "gpgpusim-gtx480", "slice.sms=4")
	m := part.Mem
	if m.DRAM.Channels != 2 || m.DRAM.Clock != 739 || m.DRAM.RC != 32 || m.L2.Slices != 4 || m.L2.Tags.Sets != 51 {
		t.Errorf("%d channels at %d MHz, tRC %d, %d slices of %d sets", m.DRAM.Channels, m.DRAM.Clock, m.DRAM.RC,
			m.L2.Slices, m.L2.Tags.Sets)
	}
	// Refresh takes the same share of the time: every 3.9 us, for 66 ns.
	if us, ns := float64(m.DRAM.REFI)/739, 1000*float64(m.DRAM.RFC)/739; math.Abs(us-3.9) > 0.01 ||
		math.Abs(ns-66) > 1 {
		t.Errorf("a refresh every %.2f us for %.1f ns, want 3.9 and 66", us, ns)
	}
	if m.L2.Port != 26 { // 0.8 of 32 bytes per cycle
		t.Errorf("a slice gives %d bytes per cycle, want 26", m.L2.Port)
	}
	if a, b := peak(whole)/15, peak(part)/4; math.Abs(a-b) > 0.01*a {
		t.Errorf("%.2f GB/s per SM, in the slice %.2f", a, b)
	}
}

func TestEverySliceOfEveryGPUIsAGPU(t *testing.T) {
	for _, n := range Names() {
		whole := load(t, n)
		step := 1
		if testing.Short() {
			step = 7
		}
		for sms := 1; sms <= whole.SM.Count; sms += step {
			part := load(t, n, fmt.Sprintf("slice.sms=%d", sms))
			if whole.Mem.Backing != "dram" {
				continue
			}
			if a, b := peak(whole)/float64(whole.SM.Count), peak(part)/float64(sms); math.Abs(a-b) > 0.01*a {
				t.Errorf("%s, %d SMs: %.2f GB/s per SM, whole chip %.2f", n, sms, b, a)
			}
		}
	}
}

func TestASliceOfMoreSMsThanThereAreIsRefused(t *testing.T) {
	_, err := Load(Request{GPU: "gtx980", Set: []string{"slice.sms=17"}})
	if err == nil || !strings.HasPrefix(err.Error(),
		"--set slice.sms=17: slice.sms: found 17, expected 0 (the whole chip) to sm.count (16)") {
		t.Errorf("error %v", err)
	}
}

// With 1 of 15 SMs and 6 channels every value would be scaled.
func TestASliceDoesNotMakeSenseOfAValueThatMakesNone(t *testing.T) {
	for _, set := range []string{"mem.l2.tags.sets=-5", "mem.l2.port_bytes=0", "mem.dram.clock_mhz=-1",
		"mem.dram.trc=4611686018427387904"} {
		key, _, _ := strings.Cut(set, "=")
		_, err := Load(Request{GPU: "gpgpusim-gtx480", Set: []string{"slice.sms=1", set}})
		if err == nil || !strings.Contains(err.Error(), key+": found ") {
			t.Errorf("%s: %v", set, err)
		}
	}
}
