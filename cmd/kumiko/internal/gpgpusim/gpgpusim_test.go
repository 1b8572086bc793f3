package gpgpusim

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
)

// load returns the GPU of a configuration's text.
func load(t *testing.T, text string, trace ...Option) (*config.Config, *GPU) {
	t.Helper()
	options, err := Parse("x.config", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	g, err := Convert(options, trace)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "gpu.toml")
	if err := os.WriteFile(name, []byte(g.Text("x.config")), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(config.Request{GPU: name})
	if err != nil {
		t.Fatalf("%v\n%s", err, g.Text("x.config"))
	}
	return c, g
}

// params returns the parameters of a GPU as text.
func params(c *config.Config) map[string]string {
	out := map[string]string{}
	for _, p := range c.Params() {
		out[p.Key] = fmt.Sprint(p.Value)
	}
	return out
}

// The GPU file of the GTX 480 was written by hand from the same configuration. It has the texture cache as the L1,
// names the classes of units in another order, and keeps what follows from the compute capability.
func TestAConfigurationBecomesTheGPUWrittenByHand(t *testing.T) {
	text, err := os.ReadFile("testdata/gtx480.config")
	if err != nil {
		t.Fatal(err)
	}
	c, g := load(t, string(text))
	hand := machinetest.Config(t, config.Request{GPU: "gpgpusim-gtx480"})
	got := params(c)
	for key, want := range params(hand) {
		switch {
		case strings.HasPrefix(key, "mem.texture."), strings.HasSuffix(key, ".classes"):
		case got[key] != want:
			t.Errorf("%s: %s, want %s", key, got[key], want)
		}
	}
	if len(g.unknown) > 0 {
		t.Errorf("options are not known: %v", g.unknown)
	}
}

// A few options of a chip with sub-cores, units for integers and doubles, and one memory for L1 and shared memory.
const volta = `-gpgpu_sub_core_model 1
-gpgpu_num_sched_per_core 4
-gpgpu_n_clusters 40
-gpgpu_n_cores_per_cluster 2
-gpgpu_num_int_units 4
-gpgpu_num_dp_units 4
-gpgpu_num_sp_units 4
-gpgpu_num_sfu_units 4
-ptx_opcode_latency_int 4,13,4,5,145,21
-ptx_opcode_initiation_int 2,2,2,2,8,4
-ptx_opcode_latency_fp 2,13,4,6,39
-ptx_opcode_initiation_fp 2,2,2,2,4
-gpgpu_operand_collector_num_units_gen 8
-gpgpu_adaptive_cache_config 1
-gpgpu_shmem_option 0,8,96
-gpgpu_unified_l1d_size 128
-gpgpu_smem_latency 20
-gpgpu_l1_latency 30
-gpgpu_kernel_launch_latency 5000
-gpgpu_invented 3
`

func TestOptionsBecomeSettingsOrAreNamedAtTheEnd(t *testing.T) {
	c, g := load(t, volta)
	got := params(c)
	for key, want := range map[string]string{
		"sm.count":                            "80",
		"sm.units.int.classes":                "[int int_mul shift compare bits]",
		"sm.units.int.class.int_mul":          "[5 2]",
		"sm.units.sp.class.fadd":              "[4 2]", // 2 is less than the way through writeback
		"sm.units.sp.class.fma":               "[6 2]",
		"regfile.conventional.collectors":     "8",
		"onchip.memory":                       "unified",
		"onchip.unified.shared_sizes":         "[0 8192 98304]",
		"onchip.unified.bytes":                "131072",
		"mem.shared.latency":                  "14",
		"mem.l1.latency":                      "23",
		"mem.noc.latency":                     "18",
		"sm.units.dp.classes":                 "[dadd dmul dfma]",
		"regfile.conventional.collector_sets": "[]",
	} {
		if got[key] != want {
			t.Errorf("%s: %s, want %s", key, got[key], want)
		}
	}
	text := g.Text("x.config")
	for _, want := range []string{"#   -gpgpu_kernel_launch_latency 5000: launches follow each other at once",
		"#   -gpgpu_invented 3 (x.config:20)"} {
		if !strings.Contains(text, want) {
			t.Errorf("no line %q in\n%s", want, text)
		}
	}
}

// RTX configurations have 160 and 224 requests.
func TestANumberBeyondTheMostBecomesTheMostAndIsNamed(t *testing.T) {
	c, g := load(t, "-gpgpu_frfcfs_dram_sched_queue_size 160\n")
	got := params(c)
	if got["mem.dram.queue"] != "64" || got["mem.dram.write_high"] != "32" {
		t.Errorf("a queue of %s, written from %s, want 64 and 32", got["mem.dram.queue"], got["mem.dram.write_high"])
	}
	want := "#   -gpgpu_frfcfs_dram_sched_queue_size 160: the scheduler chooses from 64 requests at most"
	if text := g.Text("x.config"); !strings.Contains(text, want) {
		t.Errorf("no line %q in\n%s", want, text)
	}
}

// Divisions are spelt out in a trace, and keep the timing of the other configuration.
func TestATraceConfigurationGivesTheTimingOfUnits(t *testing.T) {
	trace, err := Parse(
		"trace.config",
		[]byte("-trace_opcode_latency_initiation_int 6,3\n-trace_opcode_latency_initiation_sp 5,1"),
	)
	if err != nil {
		t.Fatal(err)
	}
	c, _ := load(t, volta, trace...)
	got := params(c)
	for key, want := range map[string]string{"sm.units.int.class.int": "[6 3]", "sm.units.int.class.int_mul": "[6 3]",
		"sm.units.sp.class.fma": "[5 1]", "sm.units.sfu.class.fdiv": "[39 4]"} {
		if got[key] != want {
			t.Errorf("%s: %s, want %s", key, got[key], want)
		}
	}
}

func TestOptionsAreReadWithCommentsQuotesAndTheRestOfAMerge(t *testing.T) {
	list, err := Parse(
		"x.config",
		[]byte("# a\n-a_b 1 # one\n<<<<<<< HEAD\n-c \"nbk=16:CCD=2:\n  RRD=6\"\n=======\nlost\n"+
			">>>>>>> x/y\n-a_b 2\n-d -1\n-e\n"),
	)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, o := range list {
		got += fmt.Sprintf("%s=%s:%d ", o.Name, o.Value, o.Line)
	}
	if want := "a_b=2:9 c=nbk=16:CCD=2:RRD=6:4 d=-1:10 e=:11 "; got != want {
		t.Errorf("found %s, want %s", got, want)
	}
	if _, err := Parse("x.config", []byte("hello")); err == nil {
		t.Error("a file without options was read")
	}
}

func TestAValueThatIsWrongIsRefusedWithItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		"-gpgpu_n_clusters many": "x.config:1: -gpgpu_n_clusters: found \"many\", " +
			"expected a whole number",
		"\n-gpgpu_clock_domains 1:2": "x.config:2: -gpgpu_clock_domains: found \"1:2\", " +
			"expected at least 4 numbers",
		"-gpgpu_cache:dl1 N:32:128": "x.config:1: -gpgpu_cache:dl1: found \"N:32:128\", " +
			"expected a cache as",
		"-gpgpu_cache:dl2 S:a:128:8,L:B:m:L:L,A:256:4,4": "expected a cache as",
		"-gpgpu_scheduler two_level_active:x":            "expected two_level_active:ACTIVE:INNER:OUTER",
		"-gpgpu_dram_timing_opt CCD=fast":                "expected times as nbk=16:CCD=2:RRD=6",
	} {
		options, err := Parse("x.config", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Convert(options, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: found %v, want %s", text, err, want)
		}
	}
}

func FuzzConfigurations(f *testing.F) {
	f.Add(volta)
	f.Add(
		"-gpgpu_cache:dl1 none\n-gpgpu_mem_addr_mapping dramid@8;00RRCCSS\n" +
			"-gpgpu_dram_timing_opt 8:2:8:12:25:10:35:10:7:6:11",
	)
	f.Fuzz(func(t *testing.T, text string) {
		options, err := Parse("x.config", []byte(text))
		if err != nil {
			return
		}
		g, err := Convert(options, nil)
		if err != nil {
			return
		}
		if strings.Count(g.Text("x.config"), "\nbase = ") != 1 {
			t.Errorf("the file has no base:\n%s", g.Text("x.config"))
		}
	})
}
