package gpus_test

import (
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/capture"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks/benchtest"
	"kumiko/gpus/result"
)

// captureOn executes an application once for a GPU.
func captureOn(t *testing.T, gpu, name string, opt capture.Options) *capture.Capture {
	t.Helper()
	c := capture.New(testConfig(t, gpu), opt)
	benchtest.On(t, c, name)
	return c.Capture()
}

func testConfig(t *testing.T, gpu string, set ...string) *config.Config {
	t.Helper()
	c := machinetest.Config(t, config.Request{GPU: gpu, Set: set})
	return c
}

// direct runs an application on a machine of its own.
func direct(t *testing.T, c *config.Config, name string) []result.Kernel {
	t.Helper()
	m := machinetest.Of(t, c, gpus.Options{})
	benchtest.On(t, m, name)
	return m.Results()
}

// capturedSuite has single launches, shared memory and barriers, and host programs that read results between
// launches (bfs, gaussian, nw).
var capturedSuite = []string{"vecadd", "bfs", "sgemm", "gaussian", "nw", "tpacf", "mergeSort", "myocyte"}

func TestACapturePlayedOnSeveralMachinesGivesWhatTheProgramGives(t *testing.T) {
	for _, name := range machinetest.Part(4, capturedSuite) {
		c := captureOn(t, "gtx980", name, capture.Options{})
		for _, set := range [][]string{{"slice.sms=4"}, {"regfile.conventional.banks=8"},
			{"slice.sms=2", "sched.policy=lrr"}} {
			cfg := testConfig(t, "gtx980", set...)
			m := machinetest.Of(t, cfg, gpus.Options{Check: true})
			if err := m.Play(c); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(direct(t, cfg, name), m.Results()); d != "" {
				t.Errorf("%s, %v (-direct +played):\n%s", name, set, d)
			}
		}
	}
}

func TestOnlyWhatTheCodeDependsOnTellsCapturesApart(t *testing.T) {
	base := testConfig(t, "gtx980").CaptureKey()
	for set, same := range map[string]bool{
		"slice.sms=4": true, "regfile.conventional.banks=8": true, "sm.registers=131072": true,
		"sched.policy=lrr": true, "sm.registers=32768": false, "compiler.if_threshold=3": false,
		"sm.max_registers_per_thread=40": false, "compiler.bank_policy=rotate": false,
		"sm.cta_shared_bytes=16384": false,
	} {
		if got := testConfig(t, "gtx980", set).CaptureKey() == base; got != same {
			t.Errorf("%s: the same key is %v, want %v", set, got, same)
		}
	}
}

func TestACaptureOfOtherCodeIsRefused(t *testing.T) {
	c := captureOn(t, "gtx980", "sgemm", capture.Options{})
	m, err := gpus.New(testConfig(t, "gtx980", "compiler.off=[\"wide\", \"fuse\", \"schedule\"]"), gpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Play(c); err == nil || !strings.Contains(err.Error(), "other instructions") {
		t.Errorf("error %v", err)
	}
}

func TestStreamsThatExceedTheLimitAreDroppedAndTheProgramIsStillChecked(t *testing.T) {
	c := captureOn(t, "gtx980", "bfs", capture.Options{MostBytes: 1000})
	if !c.Overflow() || len(c.Launches()) == 0 {
		t.Errorf("overflow %v, %d launches", c.Overflow(), len(c.Launches()))
	}
	for i := range c.Executed() {
		if c.Executed()[i].CTAs != nil {
			t.Errorf("launch %d still has streams", i)
		}
	}
	m := machinetest.GPU(t, "gtx980", gpus.Options{})
	if err := m.Play(c); err == nil {
		t.Error("it was played")
	}
}

// A CTA of 256 threads of at most 32 registers: 2048 threads hold eight.
func TestResidencyOfACaptureIsThatOfItsLaunches(t *testing.T) {
	c := captureOn(t, "gtx980", "vecadd", capture.Options{})
	n, err := machinetest.GPU(t, "gtx980", gpus.Options{}).Residents(c)
	if err != nil {
		t.Fatal(err)
	}
	if want := 2048 / c.Executed()[0].Launch.Threads(); len(n) != 1 || n[0] != want {
		t.Errorf("%v CTAs per SM, want %d", n, want)
	}
}

// The same instructions have other register numbers if registers are numbered by first use.
func TestACaptureServesMachinesThatNumberRegistersOtherwise(t *testing.T) {
	for _, name := range machinetest.Part(4, capturedSuite) {
		c := captureOn(t, "gtx980", name, capture.Options{})
		renumbered := func() *gpus.Machine {
			return machinetest.GPU(t, "gtx980", gpus.Options{Check: true}, "regfile.kind=planed",
				"regfile.planed.first=true")
		}
		played, straight := renumbered(), renumbered()
		if err := played.Play(c); err != nil {
			t.Fatal(err)
		}
		benchtest.On(t, straight, name)
		if d := cmp.Diff(straight.Results(), played.Results()); d != "" {
			t.Errorf("%s (-direct +played):\n%s", name, d)
		}
	}
}

// One capture serves every design: playing the capture gives the same result as running the program on the design,
// including admission, gates and annotations.
func TestEveryDesignPlaysACaptureAsItRunsTheProgram(t *testing.T) {
	const gpu = "tesla-c2050"
	names := []string{"bfs", "hotspot"}
	if testing.Short() {
		names = names[:1]
	}
	for _, name := range names {
		c := captureOn(t, gpu, name, capture.Options{})
		for _, design := range machinetest.Part(3, config.DesignNames()) {
			if design == "ltrf-plus" {
				continue // needs reads in order of issue; this GPU's issue registers do not keep the order
			}
			set := []string{"slice.sms=2"}
			if design == "finereg" || design == "finereg-um" {
				// half of this GPU's registers; the paper's half equals all registers of this GPU
				set = append(set, "regfile.finereg.pcrf=512", "sm.max_registers_per_thread=63") // as the GPU has it
			}
			if design == "um" || design == "virtual-thread-um" || design == "finereg-um" {
				set = append(set, "sm.cta_shared_bytes=49152") // as without a pool; with one, a CTA could use all of it
			}
			cfg := machinetest.Config(t, config.Request{GPU: gpu, Design: design, Set: set})
			c := c
			if cfg.CaptureKey() != testConfig(t, gpu).CaptureKey() {
				if !cfg.RegFile.Values() {
					t.Errorf("%s needs a capture of its own", design)
				}
				own := capture.New(cfg, capture.Options{})
				benchtest.On(t, own, name)
				c = own.Capture()
			}
			m := machinetest.Of(t, cfg, gpus.Options{})
			if err := m.Play(c); err != nil {
				t.Fatalf("%s: %v", design, err)
			}
			if d := cmp.Diff(direct(t, cfg, name), m.Results()); d != "" {
				t.Errorf("%s on %s (-direct +played):\n%s", name, design, d)
			}
		}
	}
}
