package gpus_test

import (
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
)

// A chip streaming at full rate loses to each refresh at least trfc, and at most trfc plus the time to close the
// rows (trc, trp) and to open some again (trcd, trrd), in every trefi command cycles. 2 % allow for different end
// times of the channels. Half of the channels are left out, so that the others are busy in 97 % of their cycles
// without refresh: idle time would hide refreshes.
func TestRefreshTakesItsShareOfTheBandwidth(t *testing.T) {
	const ctas, threads = 512, 256
	cycles := func(ctas int, set ...string) uint64 {
		m := machinetest.GPU(t, "gtx980", gpus.Options{}, append(set, "mem.dram.channels=8", "mem.l2.slices=8")...)
		launch(t, m, machinetest.Text("", sweep), [3]int{ctas, 1, 1}, [3]int{threads, 1, 1}, 2*512*threads*16)
		return m.Results()[0].Cycles
	}
	slope := func(set ...string) float64 { return float64(cycles(2*ctas, set...) - cycles(ctas, set...)) }
	d := testConfig(t, "gtx980").Mem.DRAM
	every := float64(d.REFI)
	low := every / (every - float64(d.RFC))
	high := every / (every - float64(d.RFC+d.RC+d.RP+d.RCD+d.RRD))
	got := slope("mem.dram.refresh=true") / slope()
	if got < 0.98*low || got > 1.02*high {
		t.Errorf("%.4f times as long with refresh, want %.4f to %.4f", got, low, high)
	}
	if testing.Verbose() {
		t.Logf("%.4f times as long with refresh; %.4f to %.4f", got, low, high)
	}
}
