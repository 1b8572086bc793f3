package memsys_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kumiko/gpus/config"
	"kumiko/memsys"
)

// The latencies and bandwidths shown by the tests of this package hold for the GPUs.
func TestTheMemorySystemsTestedHereAreThoseOfTheGPUs(t *testing.T) {
	for _, c := range []struct {
		gpu    string
		spec   memsys.Spec
		ignore []string
	}{
		{"gtx980", memsys.GTX980(), []string{"Fixed"}},
		{"gpgpusim-gtx480", memsys.GTX480(), []string{"Fixed"}},
		{"fermi", memsys.Gebhart(), []string{"L2", "DRAM", "Map", "NoC"}},
	} {
		g, err := config.Load(config.Request{GPU: c.gpu})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.spec, g.Mem, cmpopts.IgnoreFields(memsys.Spec{}, c.ignore...)); d != "" {
			t.Errorf("%s (- tested, + file):\n%s", c.gpu, d)
		}
	}
}
