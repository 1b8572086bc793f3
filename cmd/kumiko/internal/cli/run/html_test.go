package run

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/stop"
	"kumiko/internal/page"
)

func TestThePageOfARunIsOneFileWithItsFigures(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.html")
	runDone(t, "bfs", "--size", "test", "--set", "sm.count=2", "--html", file)
	doc := read(t, file)
	specs := regexp.MustCompile(`(?s)<script type="application/json" data-figure="(.*?)">(.*?)</script>`).FindAllSubmatch(doc, -1)
	if len(specs) < 6 {
		t.Errorf("%d figures, want those of slots, CPI, SMs, warps, banks, crossbars and latency", len(specs))
	}
	for _, s := range specs {
		if !json.Valid(s[2]) {
			t.Errorf("%s is no JSON", s[1])
		}
	}
	for _, want := range []string{"<h2>Kernels</h2>", "visit", "SubCore[3].Bank[3]",
		"regfile.collector.operand_latency", "sm.count", "cost: as expected", "issue slots that issued an instruction",
		"requests waiting, mean", "conflict cycles of reads", "this or less", "size test, register file conventional",
		"launches have fewer than 3 full waves of CTAs"} {
		if !strings.Contains(string(doc), want) {
			t.Errorf("%q is not on the page", want)
		}
	}
}

// diagramData is what the page's diagram reads.
type diagramData struct {
	Boxes []page.Box
	Rest  page.Box
}

func TestTheBoxesOfTheMachineHaveEachStatisticOnce(t *testing.T) {
	dir := t.TempDir()
	file, numbers := filepath.Join(dir, "run.html"), filepath.Join(dir, "run.json")
	runDone(t, "bfs", "--size", "test", "--set", "sm.count=2", "--html", file, "--json", numbers)
	doc := read(t, file)
	var d diagramData
	found := regexp.MustCompile(`(?s)<figure class="diagram"><script type="application/json">(.*?)</script>`).FindSubmatch(doc)
	if found == nil {
		t.Fatal("no diagram is on the page")
	}
	if err := json.Unmarshal(found[1], &d); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(doc), `<g class="box">`); n != len(d.Boxes) {
		t.Errorf("%d boxes are drawn, %d have numbers", n, len(d.Boxes))
	}
	sums := map[string]uint64{}
	for _, b := range append(d.Boxes, d.Rest) {
		for _, s := range b.Rows {
			sums[s.Name] += s.Sum
			banks := strings.HasPrefix(b.Title, "RegFile.SubCore.Bank x")
			if banks && (s.Parts != 32 || s.Least > s.Sum/32 || s.Most < s.Sum/32) {
				t.Errorf("%s of 32 banks: %+v", s.Name, s)
			}
			if !strings.Contains(string(doc), `<tr id="stat-`+s.Name+`">`) {
				t.Errorf("%s is not explained on the page", s.Name)
			}
		}
	}
	for name, v := range decode(t, read(t, numbers)).Total.Stats {
		if sums[name] != v {
			t.Errorf("%s: %d in the boxes, %d in the result", name, sums[name], v)
		}
	}
}

func TestAPageOfACutRunSaysSo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.html")
	status, _, errs := runStub(t, &stub{failAt: 1, fail: &stop.Error{Reason: "stop"}}, "vecadd", "--size", "test",
		"--html", file)
	doc, err := os.ReadFile(file)
	if status != app.Stopped || err != nil || !strings.Contains(string(doc), "incomplete") {
		t.Errorf("status %d, %q, %v", status, errs, err)
	}
}

// The window shows the machine's first cycles. Without a window a plain run records nothing.
func TestThePageOfARunHasAPipelineViewOfTheWindow(t *testing.T) {
	for _, k := range []struct {
		more []string
		want bool
	}{{nil, false}, {[]string{"--window", "0:600"}, true}, {[]string{"--sm", "1"}, true}} {
		file := filepath.Join(t.TempDir(), "run.html")
		runDone(t, append([]string{"vecadd", "--size", "test", "--set", "sm.count=2", "--html", file}, k.more...)...)
		data := regexp.MustCompile(`(?s)<figure class="lanes".*?<script type="application/json">(.*?)</script>`).
			FindSubmatch(read(t, file))
		if got := data != nil; got != k.want {
			t.Errorf("%v: a pipeline view %v, want %v", k.more, got, k.want)
		}
		if k.want && (!strings.Contains(string(data[1]), `"warp 0"`) || !strings.Contains(string(data[1]), "ld.global.f32")) {
			t.Errorf("%v: %.300s", k.more, data[1])
		}
	}
}
