package gpus_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus/timeline"
)

// traceDoc is the object form of the Trace Event Format, as far as it is used.
type traceDoc struct {
	DisplayTimeUnit string            `json:"displayTimeUnit"`
	OtherData       map[string]string `json:"otherData"`
	TraceEvents     []traceEvent      `json:"traceEvents"`
}

type traceEvent struct {
	Ph, Name, Cat, Bp string
	Pid, Tid          int
	Ts, Dur           uint64
	ID                uint64
	Args              map[string]any
}

func (e *traceEvent) tag() int { n, _ := e.Args["tag"].(float64); return int(n) }

// drawn returns the timeline of a kernel with one parameter.
func drawn(t *testing.T, text string, ctas, threads int, from, to uint64, set ...string) traceDoc {
	t.Helper()
	var out bytes.Buffer
	rec, err := timeline.New(&out, 0, from, to)
	if err != nil {
		t.Fatal(err)
	}
	m := machinetest.GPU(t, "gtx980", gpus.Options{Timeline: rec}, set...)
	err = machinetest.Launch(t, m, text, ctas, threads, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := rec.Close(map[string]string{"program": "k"}); err != nil {
		t.Fatal(err)
	}
	var doc traceDoc
	d := json.NewDecoder(&out)
	d.DisallowUnknownFields()
	if err := d.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// names returns the group and the name of each track.
func (d *traceDoc) names() map[[2]int]string {
	group, out := map[int]string{}, map[[2]int]string{}
	for _, e := range d.TraceEvents {
		switch {
		case e.Ph == "M" && e.Name == "process_name":
			group[e.Pid] = e.Args["name"].(string)
		case e.Ph == "M" && e.Name == "thread_name":
			out[[2]int{e.Pid, e.Tid}] = group[e.Pid] + "/" + e.Args["name"].(string)
		}
	}
	return out
}

func TestTheTimelineShowsTheLifeOfAnOperandCycleByCycle(t *testing.T) {
	// One warp on sub-core 0 runs a chain of FMAs, one in flight at a time, so that nothing conflicts.
	doc := drawn(t, chain(8), 1, 32, 0, 1000, "sm.count=1", "regfile.conventional.bypass=false",
		"regfile.conventional.forward=2", "sm.units.sp.class={}", "sm.units.sp.latency=6")
	names := doc.names()
	var fma *traceEvent
	for i, e := range doc.TraceEvents {
		if e.Cat == "issue" && e.Name == "fma" {
			fma = &doc.TraceEvents[i] // the last one
		}
	}
	if fma == nil {
		t.Fatal("no FMA was drawn")
	}
	var got []string
	for _, e := range doc.TraceEvents {
		if e.Ph == "X" && e.tag() == fma.tag() && e.Cat != "slot" {
			// the bank's second port, since the previous FMA is written through the first
			track := strings.TrimSuffix(names[[2]int{e.Pid, e.Tid}], " (2)")
			got = append(got, fmt.Sprintf("%02d +%d %s: %s", e.Ts-fma.Ts, e.Dur, track, e.Name))
		}
	}
	slices.Sort(got)
	reg := fma.Args["destinations"].(string)
	bank := -1
	for _, e := range doc.TraceEvents {
		if e.Cat == "operand" && e.Ph == "X" && e.tag() == fma.tag() {
			bank = int(e.Args["bank"].(float64))
		}
	}
	sub := "SubCore[0]."
	at := fmt.Sprintf("Banks/%sBank[%d]", sub, bank)
	// regfile/conventional, doc.go: from the collectors at t, a cycle after the operation's issue, to the arbiter
	// at t+1, the bank at t+2, the crossbar at t+3, the collector at t+4, the unit at t+5. The unit takes 6 cycles
	// less 2 for the way to the register file and 2 for the early announcement of results. Its result is at the
	// register file 2 cycles later, and at its bank another forward+1 to the arbiter and 1 from there.
	want := []string{
		"00 +1 Warps/warp 0: fma",
		"01 +1 Operands/" + sub + "Collectors 0 source 0: request",
		"01 +4 Collectors/" + sub + "Collectors 0: fma",
		"01 +4 Collectors/" + sub + "Collectors 0: operands",
		"01 +4 Operands/" + sub + "Collectors 0 source 0: " + reg,
		"02 +2 Operands/" + sub + "Collectors 0 source 0: bank",
		"03 +1 " + at + ": read " + reg,
		"04 +1 Crossbar/" + sub + "Crossbar to 0: " + reg,
		"04 +1 Operands/" + sub + "Collectors 0 source 0: crossbar",
		"06 +3 Execution units/Unit[sp][0]: fma",
		"14 +1 " + at + ": write " + reg,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("life of %s (-want +got):\n%s", fma.Args["instruction"], d)
	}
	var points []string
	for _, e := range doc.TraceEvents {
		if e.ID == uint64(fma.tag()) && strings.Contains("stf", e.Ph) {
			points = append(points, fmt.Sprintf("%s %d", e.Ph, e.Ts-fma.Ts))
		}
	}
	slices.Sort(points)
	if want := []string{"f 14", "s 0", "t 1", "t 6"}; !slices.Equal(points, want) {
		t.Errorf("arrow through %v, want %v", points, want)
	}
}

func TestSlicesOfATimelineNestAndLieWithinTheWindow(t *testing.T) {
	const from, to = 100, 900
	doc := drawn(t, independent(3), 4, 256, from, to, "sm.count=1")
	names := doc.names()
	tracks := map[[2]int][]traceEvent{}
	groups := map[string]bool{}
	for _, e := range doc.TraceEvents {
		switch e.Ph {
		case "X":
			k := [2]int{e.Pid, e.Tid}
			tracks[k] = append(tracks[k], e)
			g, _, _ := strings.Cut(names[k], "/")
			groups[g] = true
			if e.Ts < from || e.Ts >= to || e.Dur == 0 {
				t.Fatalf("%s: %q from %d for %d cycles, outside %d to %d", names[k], e.Name, e.Ts, e.Dur, from, to)
			}
		case "M", "s", "t", "f":
		default:
			t.Fatalf("event of phase %q", e.Ph)
		}
	}
	for k, list := range tracks {
		if names[k] == "" {
			t.Errorf("track %v has no name", k)
		}
		slices.SortStableFunc(list, func(a, b traceEvent) int {
			if a.Ts != b.Ts {
				return int(a.Ts) - int(b.Ts)
			}
			return int(b.Dur) - int(a.Dur)
		})
		var ends []uint64
		for _, e := range list {
			for len(ends) > 0 && ends[len(ends)-1] <= e.Ts {
				ends = ends[:len(ends)-1]
			}
			if len(ends) > 0 && e.Ts+e.Dur > ends[len(ends)-1] {
				t.Errorf("%s: %q at %d reaches beyond the slice that it lies in", names[k], e.Name, e.Ts)
			}
			ends = append(ends, e.Ts+e.Dur)
		}
	}
	for _, g := range []string{"Launches", "Schedulers", "Warps", "Collectors", "Operands", "Banks", "Crossbar",
		"Execution units"} {
		if !groups[g] {
			t.Errorf("nothing was drawn of %s", g)
		}
	}
	if doc.OtherData["program"] != "k" || doc.OtherData["window"] != "100:900" {
		t.Errorf("about: %v", doc.OtherData)
	}
}

func TestEveryCycleOfAWarpIsDrawnOnce(t *testing.T) {
	doc := drawn(t, independent(2), 1, 128, 0, 5000, "sm.count=1")
	names := doc.names()
	first, last, sum := map[string]uint64{}, map[string]uint64{}, map[string]uint64{}
	for _, e := range doc.TraceEvents {
		n := names[[2]int{e.Pid, e.Tid}]
		if e.Ph != "X" || !strings.HasPrefix(n, "Warps/") {
			continue
		}
		if sum[n] == 0 || e.Ts < first[n] {
			first[n] = e.Ts
		}
		last[n] = max(last[n], e.Ts+e.Dur)
		sum[n] += e.Dur
	}
	if len(sum) != 4 {
		t.Errorf("%d warps drawn, want 4", len(sum))
	}
	for n := range sum {
		if sum[n] != last[n]-first[n] {
			t.Errorf("%s: %d cycles drawn between %d and %d", n, sum[n], first[n], last[n])
		}
	}
}

func TestATimelineChangesNoResult(t *testing.T) {
	for _, workers := range []int{1, 6} {
		for _, name := range []string{"sgemm", "bfs"} {
			want := resultsOf(t, "gtx980", name, gpus.Options{}, nil)
			rec, err := timeline.New(io.Discard, 1, 500, 2500)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, resultsOf(t, "gtx980", name, gpus.Options{Timeline: rec, Workers: workers},
				nil)); d != "" {
				t.Errorf("%s, %d workers (-without +with):\n%s", name, workers, d)
			}
		}
	}
}

func TestATimelineOfAnSMThatIsNotThereIsRefused(t *testing.T) {
	rec, err := timeline.New(io.Discard, 16, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	c := machinetest.Config(t, config.Request{GPU: "gtx980"})
	if _, err := gpus.New(c, gpus.Options{Timeline: rec}); err == nil || !strings.Contains(err.Error(), "0 to 15") {
		t.Errorf("error %v", err)
	}
}

// With eight slots, CTAs of eight warps with memory reads alternate.
func TestATimelineShowsWarpsWithoutSlots(t *testing.T) {
	text := machinetest.Text("", "mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd2, %r1, 4096; add.u64 %rd3, %rd1, %rd2; "+
		"ld.global.u32 %r2, [%rd3]; add.u32 %r2, %r2, 1; st.global.u32 [%rd3], %r2;")
	doc := drawn(t, text, 4, 256, 0, 100000, "sm.count=1", "sm.warps=8", "cta.switching=virtual-thread")
	n := 0
	for i := range doc.TraceEvents {
		if e := &doc.TraceEvents[i]; e.Cat == "wait" && e.Name == "parked" && e.Dur > 0 {
			n++
		}
	}
	if n < 8 {
		t.Errorf("%d spans of warps without slots, want at least those of a CTA", n)
	}
}

// The instructions of each kernel are drawn with its name and the PCs that it has alone, each stream has its track, and
// a CTA slot is named by the kernels of its CTAs.
func TestTheTimelineTellsTheKernelsOfLaunchesSideBySideApart(t *testing.T) {
	if testing.Short() {
		t.Skip("whole programs side by side")
	}
	var out, log bytes.Buffer
	rec, err := timeline.New(&out, 0, 0, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	rec.Log(timeline.NewKonata(&log))
	r := config.Request{GPU: "gtx980", Set: []string{"sm.count=1", "residency.policy=round-robin"}}
	got := beside(t, machinetest.Config(t, r), gpus.Options{Timeline: rec}, "vecadd", "transpose")
	if d := cmp.Diff(beside(t, machinetest.Config(t, r), gpus.Options{}, "vecadd", "transpose"), got); d != "" {
		t.Errorf("the timeline changes the results: %s", d)
	}
	if err := rec.Close(nil); err != nil {
		t.Fatal(err)
	}
	var doc traceDoc
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	names, issued, residents := doc.names(), map[string]uint64{}, map[string]bool{}
	first := map[string]bool{} // its first instruction has issued
	for _, e := range doc.TraceEvents {
		on := names[[2]int{e.Pid, e.Tid}]
		switch {
		case e.Cat == "issue":
			k := e.Args["kernel"].(string)
			issued[k]++
			first[k] = first[k] || e.Args["pc"].(float64) == 0
		case e.Cat == "CTA" && strings.HasPrefix(on, "Launches/CTA slot "):
			residents[e.Name] = true
		case e.Cat == "launch" && on != "Launches/kernels":
			for _, b := range got[0].Beside {
				if e.Name == b.Name && (on != fmt.Sprintf("Launches/stream %d", b.Stream) || e.Dur != b.End-b.Begin) {
					t.Errorf("%s on %s for %d cycles, want %+v", e.Name, on, e.Dur, b)
				}
			}
		}
	}
	for _, b := range got[0].Beside {
		if issued[b.Name] != b.WarpInstructions || !residents[b.Name] || !strings.Contains(log.String(), b.Name+": ") {
			t.Errorf("%s: %d instructions drawn, want %d; CTAs %v", b.Name, issued[b.Name], b.WarpInstructions,
				residents)
		}
		if !first[b.Name] {
			t.Errorf("%s has no instruction of PC 0", b.Name)
		}
	}
}
