package pairs

import (
	"flag"
	"os"
	"strings"
	"testing"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/host"
)

var update = flag.Bool("update", false, "write the table of the documents anew")

const document = "../../docs/designs/pairs.txt"

func TestTheTableSaysWhichPairsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("every pair on every GPU")
	}
	want, err := markdown(config.Names())
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	if string(data) == want {
		return
	}
	if !*update {
		t.Fatalf("the table of %s is not that of the machines (go test ./gpus/pairs -update writes it):\n%s", document,
			want)
	}
	if err := os.WriteFile(document, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// runs runs a program on the machine of a pair with the check of operands, and returns the cycles.
func runs(t *testing.T, p *Pair, name string, set ...string) uint64 {
	t.Helper()
	m := machinetest.New(t, p.Request(append(set, p.Sets...)...), gpus.Options{Check: true})
	program, err := benchmarks.Find(name).New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Run(&host.Device{Mem: m.Memory(), Runner: m}); err != nil {
		t.Errorf("%s on %s with %s beside %s: %v", name, p.GPU, p.Path, p.Residency, err)
	}
	var cycles uint64
	for _, k := range m.Results() {
		cycles += k.Cycles
	}
	return cycles
}

func TestEveryPairThatRunsDoesSoWithTheRightOperands(t *testing.T) {
	names := config.Names()
	if testing.Short() {
		names = []string{"gtx980"}
	}
	ran := 0
	for _, gpu := range names {
		list, err := List(gpu)
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			if p := &list[i]; p.Why == "" && runs(t, p, "vecadd") > 0 {
				ran++
			}
		}
	}
	if ran < 20*len(names) {
		t.Errorf("%d pairs have run", ran)
	}
}

// A register file of a quarter of the size lets CTAs share registers, and 16 slots let CTAs be switched.
func TestPairsThatShareOrSwitchHaveTheRightOperands(t *testing.T) {
	list, err := List("gtx980")
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		p := &list[i]
		if p.Why != "" || p.Path == "conventional" || p.Residency == "none" {
			continue
		}
		for _, name := range machinetest.Part(2, []string{"hotspot", "stencil"}) {
			for _, set := range []string{"sm.warps=16", "sm.registers=16384"} {
				if set == "sm.registers=16384" && strings.HasPrefix(p.Residency, "fine") {
					continue // the whole file is the part for pending CTAs
				}
				runs(t, p, name, set)
			}
		}
	}
}

func TestAGPUThatThereIsNotHasNoPairs(t *testing.T) {
	if _, err := List("gtx981"); err == nil || !strings.Contains(err.Error(), `no GPU named "gtx981"`) {
		t.Errorf("error %v", err)
	}
}

func TestEveryPresetRunsWithItsSettings(t *testing.T) {
	names := config.Names()
	if testing.Short() {
		names = []string{"titan-v"}
	}
	for _, gpu := range names {
		list, err := Presets(gpu)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) < 30 {
			t.Errorf("%s: %d presets, want at least 30", gpu, len(list))
		}
		for _, p := range list {
			if p.Why != "" {
				continue
			}
			cfg, err := config.Load(config.Request{GPU: gpu, Design: p.Design, Base: []string{"slice.sms=2"},
				Set: p.Sets})
			if err == nil {
				_, err = gpus.New(cfg, gpus.Options{})
			}
			if err != nil {
				t.Errorf("%s %s: %v", gpu, p.Flags(), err)
			}
		}
	}
}
