package streams

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/kernel/host"
)

func TestATimedRunIsComparedByItsShares(t *testing.T) {
	c := NewCollector(Options{})
	c.CTA(straight(warp32, w(1), rd(1), rd(2), w(2))) // 2 reads, one hits; 2 writes, none gets to the main file
	// Timed: of 4 operands 1 is read from the banks; of 3 results 2 are written there.
	got, err := c.Summary().Against("caches.fifo.6", map[string]uint64{"regfile.collector.operands": 4,
		"regfile.bank.reads.operand": 1,
		"regfile.rfc.writes":         2, "regfile.rfc.bypassed": 1, "regfile.bank.writes.result": 1,
		"regfile.bank.writes.eviction": 1})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for i := range got {
		lines = append(lines, got[i].String())
	}
	const want = "operands: stream 100.00 %, timed 200.00 %\nresults: stream 100.00 %, timed 150.00 %\n" +
		"reads avoided: stream 50.00 %, timed 75.00 %\nwrites avoided: stream 100.00 %, timed 33.33 %"
	if text := strings.Join(lines, "\n"); text != want {
		t.Errorf("got\n%s\nexpected\n%s", text, want)
	}
	if _, err := c.Summary().Against("caches.fifo.6", nil); err == nil {
		t.Error("a run without a register file cache was compared")
	}
}

// timedStats are the statistics of an application on two SMs.
func timedStats(t *testing.T, a *benchmarks.App, cfg *config.Config) map[string]uint64 {
	t.Helper()
	m, err := gpus.New(cfg, gpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := a.New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Run(&host.Device{Mem: m.Memory(), Runner: m}); err != nil {
		t.Fatal(err)
	}
	total := map[string]uint64{}
	for _, k := range m.Results() {
		for name, n := range k.Stats {
			total[name] += n
		}
	}
	return total
}

// If no warp is suspended, only the order of a warp's instructions matters to a cache, except for values still on their
// way: a result arrives later than in the stream, and operands captured meanwhile are not hits.
//
// The bounds are in percentage points. Avoided writes differ by three at most. The timed cache avoids no fewer reads,
// and at most eight points more, because captures are a tenth of the operands. With liveness it may avoid ten points
// more of the writes: a value is dead once the instruction that overwrites it has read, and results that arrive before
// that instruction's own result may then evict it without a write. In the stream nothing comes between.
func TestATimedCacheOfAllWarpsAvoidsWhatTheStreamAvoids(t *testing.T) {
	for _, live := range []bool{false, true} {
		set := []string{fmt.Sprintf("regfile.rfc.liveness=%v", live)}
		cfg, err := config.Load(config.Request{GPU: "fermi", Design: "rfc", Set: append(set, "slice.sms=2")})
		if err != nil {
			t.Fatal(err)
		}
		path := Config{Bypass: true, Entries: 6}.Path(live)
		for _, name := range []string{"sgemm", "hotspot", "bfs"} {
			a := benchmarks.Find(name)
			s := streamsOf(t, a, cfg)
			got, err := s.Against(path, timedStats(t, a, cfg))
			if err != nil {
				t.Fatal(err)
			}
			for i := range got {
				c := &got[i]
				most := map[string]float64{"operands": 1, "results": 0, "reads avoided": 8, "writes avoided": 3}[c.Name]
				if live && c.Name == "writes avoided" && c.Timed > c.Stream {
					most = 10
				}
				if c.Off() > most || c.Name == "reads avoided" && c.Timed < c.Stream-0.01 {
					t.Errorf("%s of %s: %s, expected at most %v points apart", path, name, c, most)
				}
			}
		}
	}
}
