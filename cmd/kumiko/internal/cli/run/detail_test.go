package run

import (
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kumiko/gpus/result"
)

// detail runs a program on two SMs with --detail. It returns the result and the sections of the report, by the
// first word of their heads, as lines of fields.
func detail(t *testing.T, args ...string) (*result.Result, map[string][][]string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run.json")
	out := runDone(t, append(args, "--size", "test", "--set", "sm.count=2", "--detail", "--json", file)...)
	r := decode(t, read(t, file))
	sections := map[string][][]string{}
	for part := range strings.SplitSeq(strings.TrimSpace(out), "\n\n") {
		var lines [][]string
		for line := range strings.Lines(part) {
			lines = append(lines, strings.Fields(line))
		}
		sections[lines[0][0]] = lines
	}
	return &r, sections
}

// added returns the sum of column c of the rows below the head of a section.
func added(t *testing.T, lines [][]string, c int) (sum float64) {
	t.Helper()
	for _, l := range lines[2:] {
		v, err := strconv.ParseFloat(l[c], 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += v
	}
	return sum
}

func TestTheDetailedReportAddsUpToTheStatistics(t *testing.T) {
	for _, network := range []string{"crossbar", "butterfly"} {
		r, s := detail(t, "sgemm", "--set", "regfile.conventional.network="+network)
		stats := r.Total.Stats
		for _, x := range []struct {
			section string
			column  int
			want    uint64
		}{
			{"register", 1, stats["regfile.bank.reads.operand"]},
			{"register", 2, stats["regfile.bank.writes.result"]},
			{"register", 3, stats["regfile.arbiter.read_conflicts"]},
			{"register", 4, stats["regfile.arbiter.write_conflicts"]},
			{"crossbars,", 1, stats["regfile.crossbar.transfers"]},
			{"crossbars,", 2, stats["regfile.network.hops"]},
			{"crossbars,", 3, stats["regfile.crossbar.conflicts"]},
		} {
			if got := added(t, s[x.section], x.column); got != float64(x.want) {
				t.Errorf("%s: column %d of %q adds up to %v, want %d", network, x.column, x.section, got, x.want)
			}
		}
		if want := map[string]int{"crossbar": 4, "butterfly": 16}[network]; len(s["register"]) != 2+16 ||
			len(s["crossbars,"]) != 2+want {
			t.Errorf("%d banks and %d crossbars, want 16 and %d of an SM", len(s["register"])-2, len(s["crossbars,"])-2,
				want)
		}
		// Waiting is a mean over SMs and cycles, printed to a thousandth for each bank.
		mean := float64(stats["regfile.arbiter.read_conflicts"]+
			stats["regfile.arbiter.write_conflicts"]) / float64(2*r.Total.Cycles)
		if got := added(t, s["register"], 6); math.Abs(got-mean) > 16*0.0005 {
			t.Errorf("%v requests wait on average, want %v", got, mean)
		}
	}
}

func TestTheDetailedReportHasTheCPIStackOfEveryKernelAndSM(t *testing.T) {
	r, s := detail(t, "sgemm")
	rows := s["CPI"][2:]
	if len(rows) != 3 || rows[0][0] != "sgemm" || rows[1][1] != "0" || rows[2][1] != "1" {
		t.Fatalf("rows %v, want the kernel and two SMs", rows)
	}
	if k := r.Kernels[0]; k.IPCSteady == nil || rows[0][2] != strconv.FormatFloat(*k.IPCSteady, 'f', 2, 64) {
		t.Errorf("steady IPC %s, want %v", rows[0][2], k.IPCSteady)
	}
	for i, row := range rows {
		first := 3 // slots per instruction; SM n is two words and has no steady IPC
		var sum float64
		for _, cell := range row[first+1:] {
			v, _ := strconv.ParseFloat(cell, 64)
			sum += v
		}
		if whole, _ := strconv.ParseFloat(row[first], 64); math.Abs(sum-whole) > 0.0005*float64(len(row)) || whole < 1 {
			t.Errorf("row %d: the parts %v add up to %v, want %v", i, row[first+1:], sum, whole)
		}
	}
}

func TestTheDetailedReportHasTheDistributionOfTheOperandLatency(t *testing.T) {
	r, s := detail(t, "sgemm")
	var n uint64
	for _, b := range r.Total.Distributions["regfile.collector.operand_latency"] {
		n += b.Count
	}
	rows := s["operand"]
	if got := added(t, rows, 1); got != float64(n) || n == 0 {
		t.Errorf("%v instructions, want %d", got, n)
	}
	if last := rows[len(rows)-1]; last[3] != "100.0%" {
		t.Errorf("the last row says %s are as fast, want all", last[3])
	}
}

func TestTheReportSaysWhereTheIndexOfBanksLeavesBanksOut(t *testing.T) {
	of := func(index string, banks, width, schedulers, cores int) map[string]any {
		return map[string]any{"regfile.conventional.bank_index": index, "regfile.conventional.banks": int64(banks),
			"regfile.conventional.bank_width": int64(width), "sm.schedulers": int64(schedulers),
			"regfile.conventional.sub_cores": int64(cores)}
	}
	for want, config := range map[string]map[string]any{
		"in 1 of its 4 banks": of("register+warp", 16, 128, 4, 0),
		"in 4 of its 8 banks": of("register+warp", 16, 128, 2, 2),
		"in 2 of its 4 banks": of("register+warp", 64, 16, 2, 2),
	} {
		if got := spread(config); !strings.Contains(got, want) {
			t.Errorf("found %q, want %q", got, want)
		}
	}
	for name, config := range map[string]map[string]any{
		"another index":               of("register+slot", 16, 128, 4, 0),
		"one sub-core":                of("register+warp", 16, 128, 4, 1),
		"three banks":                 of("register+warp", 12, 128, 4, 0),
		"no banks with such an index": {"sm.schedulers": int64(4)},
	} {
		if got := spread(config); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}
