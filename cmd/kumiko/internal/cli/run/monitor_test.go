package run

import (
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kumiko/cmd/kumiko/internal/cli/app"

	"github.com/sarchlab/akita/v3/tracing"
)

// asker waits for the address printed by the program, and sends it a request.
type asker struct {
	t    *testing.T
	text strings.Builder
	list string
}

func (a *asker) Write(p []byte) (int, error) {
	a.text.Write(p)
	if url, ok := strings.CutPrefix(strings.TrimSpace(string(p)), "monitor: "); ok {
		resp, err := http.Get(url + "/api/list_components")
		if err != nil {
			a.t.Error(err)
			return len(p), nil
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		a.list = string(text)
	}
	return len(p), nil
}

func TestTheMonitorShowsTheBlocksOfTheMachineWhileItRuns(t *testing.T) {
	var out strings.Builder
	errs := &asker{t: t}
	a := app.App{Stdout: &out, Stderr: errs, New: app.Assemble}
	if status := a.Main([]string{"run", "vecadd", "--size", "test", "--set", "sm.count=1", "--monitor",
		"127.0.0.1:0"}, program); status != app.Done {
		t.Fatalf("status %d: %s", status, errs.text.String())
	}
	if !strings.Contains(errs.list, `"GPU.SM[0].RegFile.SubCore[0].Bank[0]"`) ||
		!strings.Contains(errs.list, `"GPU.Dispatcher"`) {
		t.Errorf("components %s", errs.list)
	}
	status, _, again := runReal(t, "vecadd", "--size", "test", "--monitor", "nowhere")
	if status != app.BadInput || !strings.Contains(again, "expected HOST:PORT") {
		t.Errorf("status %d, %q", status, again)
	}
}

func TestAnAkitaTraceHasTheMessagesOfTheSM(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.csv")
	runDone(t, "vecadd", "--size", "test", "--set", "sm.count=1", "--akita-trace", file, "--window", "0:500")
	text := string(read(t, file))
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if lines[0] != "ID, ParentID, Kind, What, Where, Start, End" || len(lines) < 100 ||
		!strings.Contains(text, "req_in, bank.Access, GPU.SM[0].RegFile") {
		t.Errorf("%d rows, the first: %s", len(lines), lines[0])
	}
	if list, _ := os.ReadDir(filepath.Dir(file)); len(list) != 1 {
		t.Errorf("%d files left, want 1", len(list))
	}
	if !testing.Short() {
		daisenCanReadIt(t, file)
	}
}

// daisenCanReadIt queries a trace through Akita's reader as Daisen's pages do: the range of time, the blocks, and
// the messages in and out of one block.
func daisenCanReadIt(t *testing.T, file string) {
	t.Helper()
	r := tracing.NewCSVTraceReader(file)
	whole := r.ListTasks(tracing.TaskQuery{Kind: "Simulation"})
	// 500 cycles at 1126 MHz are 444.05 ns.
	if len(whole) != 1 || whole[0].StartTime != 0 || math.Abs(float64(whole[0].EndTime)-444.05e-9) > 1e-10 {
		t.Errorf("the whole is %+v, want one task from 0 to 444 ns", whole)
	}
	const bank = "GPU.SM[0].RegFile.SubCore[0].Bank[0]"
	if !slices.Contains(r.ListComponents(), bank) {
		t.Errorf("no block %s", bank)
	}
	for _, kind := range []string{"req_in", "req_out"} {
		if tasks := r.ListTasks(tracing.TaskQuery{Where: bank, Kind: kind, EnableParentTask: true}); len(tasks) == 0 {
			t.Errorf("%s has no %s", bank, kind)
		} else if kind == "req_in" && tasks[0].ParentTask == nil {
			t.Errorf("%s: nobody sent %+v", bank, tasks[0])
		}
	}
}
