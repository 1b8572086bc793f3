package gpus_test

import (
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/chip"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
)

func TestEveryTwoWorkersBeyondFourHaveAPartOfTheSlices(t *testing.T) {
	for _, c := range []struct{ workers, sms, want int }{{0, 16, 1}, {1, 16, 1}, {4, 16, 1}, {5, 16, 2}, {6, 16, 3},
		{16, 16, 8}, {16, 132, 8}, {16, 4, 1}, {64, 16, 8}} {
		if got := chip.Parts(c.workers, c.sms); got != c.want {
			t.Errorf("%d workers, %d SMs: %d parts, want %d", c.workers, c.sms, got, c.want)
		}
	}
}

func TestTheSlicesOfEveryGPUWithDRAMAreDividedForSixWorkers(t *testing.T) {
	for _, name := range config.Names() {
		parts := func(o gpus.Options) int {
			m := machinetest.GPU(t, name, o)
			return len(m.Engine().Partitions()) - len(gpus.Chip(m).SMs)
		}
		want := 4 // the networks, and three parts
		if machinetest.Config(t, config.Request{GPU: name}).Mem.Backing == "fixed" {
			want = 1
		}
		if got := parts(gpus.Options{Workers: 6}); got != want {
			t.Errorf("%s: %d partitions beside the SMs, want %d", name, got, want)
		}
		if got := parts(gpus.Options{Workers: 6, Checkpoints: &gpus.Checkpoints{}}); got != 1 {
			t.Errorf("%s with checkpoints: %d partitions beside the SMs, want 1", name, got)
		}
	}
}
