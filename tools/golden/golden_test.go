package golden

import (
	"flag"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/measure"
)

const file = "testdata/golden.txt"

var (
	whole  = flag.Bool("whole", false, "run the whole table, not a part of it")
	ofGPU  = flag.String("gpu", "", "with -whole: the machines with this GPU alone")
	ofName = flag.String("program", "", "with -whole: the programs whose names begin so alone")
	ofKind = flag.String("design", "", "with -whole: the machines with these presets of register files alone, with "+
		"commas between")
	update = flag.Bool("update", false, "with -whole: write the table anew, with -gpu, -design or -program those rows")
)

// chosen returns the machines to run.
func chosen(gpu, design string) []Machine {
	return slices.DeleteFunc(Machines(), func(m Machine) bool {
		return gpu != "" && m.GPU != gpu || design != "" && !slices.Contains(strings.Split(design, ","), m.Design)
	})
}

// part selects the cells of a plain test: three programs on each machine, or with -short one on every second machine.
// Over the machines that is every program.
func part(machine, program, programs int) bool {
	if testing.Short() {
		return machine%2 == 0 && (program-7*machine/2)%programs == 0
	}
	return (program-7*machine)%programs == 0 || (program-7*machine-18)%programs == 0 ||
		(program-7*machine-35)%programs == 0
}

// cells returns the table of the cells selected by pick, all programs at once.
func cells(apps []*benchmarks.App, machines []Machine, pick func(m, p int) bool) Table {
	out := Table{}
	for _, m := range machines {
		out[m] = map[string]Outcome{}
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	room := make(chan struct{}, runtime.NumCPU())
	for p, app := range apps {
		all.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			c := newCaptures(app, benchmarks.Test)
			for i, m := range machines {
				if !pick(i, p) {
					continue
				}
				o := c.run(m)
				mu.Lock()
				out[m][app.Name] = o
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return out
}

// recorded returns the committed table.
func recorded(t *testing.T) Table {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	table, err := Parse(data)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return table
}

func TestTheMachinesOfOneGPUAreChosen(t *testing.T) {
	all, part := chosen("", ""), chosen("tesla-c2050", "")
	if len(part) == 0 || len(all) != len(Machines()) {
		t.Fatalf("%d of %d machines", len(part), len(all))
	}
	for _, m := range part {
		if m.GPU != "tesla-c2050" {
			t.Errorf("%v is chosen", m)
		}
	}
	if two := chosen("tesla-c2050", "bow,rfc"); !slices.Equal(two, []Machine{{GPU: "tesla-c2050", Design: "bow"},
		{GPU: "tesla-c2050", Design: "rfc"}}) {
		t.Errorf("%v are chosen, want the GPU with these designs alone", two)
	}
}

func TestResultsAreThoseOfTheGoldenTable(t *testing.T) {
	apps, machines := benchmarks.List(), chosen(*ofGPU, *ofKind)
	pick := func(m, p int) bool {
		return *whole && strings.HasPrefix(apps[p].Name, *ofName) || !*whole && part(m, p, len(apps))
	}
	got := cells(apps, machines, pick)
	if *update {
		if !*whole {
			t.Fatal("-update needs -whole")
		}
		var names []string
		for _, a := range apps {
			names = append(names, a.Name)
		}
		all := recorded(t)
		for m, rows := range got {
			if all[m] == nil {
				all[m] = rows
			}
			maps.Copy(all[m], rows)
		}
		if err := os.WriteFile(file, all.Format(Machines(), names), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := recorded(t)
	seen := 0
	for _, m := range machines {
		for _, a := range apps {
			g, ok := got[m][a.Name]
			if !ok {
				continue
			}
			seen++
			w, ok := want[m][a.Name]
			switch {
			case !ok:
				t.Errorf("%s on %s with %s is not in the table: %s", a.Name, m.GPU, m.Design, g)
			case g.String() != w.String():
				t.Errorf("%s on %s with %s: %s, the table has %s", a.Name, m.GPU, m.Design, g, w)
			}
		}
	}
	least := 3 * len(machines)
	if testing.Short() {
		least = len(machines) / 2
	}
	if seen < least && *ofName == "" || seen == 0 {
		t.Errorf("%d cells were compared, want at least %d", seen, least)
	}
}

func TestATableIsReadAsItWasWritten(t *testing.T) {
	a, b := Machine{GPU: "g", Design: "one"}, Machine{GPU: "g", Design: "two", Crowded: true}
	want := Table{a: {"x": {Cycles: 12, Hash: "ab"}, "y": {Refused: "no room"}}, b: {"x": {Cycles: 1, Hash: "c"}}}
	text := want.Format([]Machine{a, b}, []string{"x", "y"})
	got, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if again := string(got.Format([]Machine{a, b}, []string{"x", "y"})); again != string(text) {
		t.Errorf("written %q, read and written again %q", text, again)
	}
	if n := len(got[a]) + len(got[b]); n != 3 {
		t.Errorf("%d outcomes were read, want 3", n)
	}
}

func TestALineThatIsNoOutcomeIsNamed(t *testing.T) {
	for _, text := range []string{"x 1 a\n", "# g d\nx one a\n", "# g\n"} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}

func TestCTAsOfACrowdedMachineAreSwitched(t *testing.T) {
	c := newCaptures(benchmarks.Find("hotspot"), benchmarks.Test)
	n := 0
	for _, m := range Machines() {
		if !m.Crowded {
			continue
		}
		n++
		cfg := machinetest.Config(t, m.request())
		capture, err := c.get(cfg)
		if err != nil {
			t.Fatal(err)
		}
		gpu := machinetest.Of(t, cfg, gpus.Options{Check: true})
		if err := gpu.Play(capture); err != nil {
			t.Fatal(err)
		}
		r := measure.NewResult(cfg, gpu)
		r.Finish(0)
		if r.Total.Stats["switch.switches"] == 0 {
			t.Errorf("%s with few slots switches no CTA of hotspot", m.Design)
		}
	}
	if n < 6 {
		t.Errorf("%d crowded machines, want at least 6", n)
	}
}
