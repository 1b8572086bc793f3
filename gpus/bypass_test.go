package gpus_test

import (
	"testing"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
)

func TestABypassMakesNoApplicationSlowerAndEveryOperandStaysRight(t *testing.T) {
	for _, gpu := range []string{"maxwell", "fermi"} {
		for _, app := range []string{"bfs", "mergeSort", "lud", "cfd"} {
			opt := gpus.Options{Check: true}
			_, with := runBenchmark(t, app, benchmarks.Test, opt, config.Request{GPU: gpu})
			_, without := runBenchmark(t, app, benchmarks.Test, opt, config.Request{GPU: gpu,
				Set: []string{"regfile.conventional.bypass=false", "regfile.conventional.forward=2"}})
			if with >= without {
				t.Errorf("%s on %s: %d cycles with a bypass, %d without", app, gpu, with, without)
			}
		}
	}
}
