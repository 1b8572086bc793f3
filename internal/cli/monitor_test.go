package cli

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/gpus"
)

// asker notes the address that the program prints, and asks it something.
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
	a := App{Stdout: &out, Stderr: errs, New: gpus.New}
	if status := a.Main([]string{"run", "vecadd", "--size", "test", "--set", "sm.count=1", "--monitor", "127.0.0.1:0"}); status != Done {
		t.Fatalf("status %d: %s", status, errs.text.String())
	}
	if !strings.Contains(errs.list, `"GPU.SM[0].RegFile.SubCore[0].Bank[0]"`) || !strings.Contains(errs.list, `"GPU.Dispatcher"`) {
		t.Errorf("components %s", errs.list)
	}
	var again strings.Builder
	a.Stderr = &again
	if status := a.Main([]string{"run", "vecadd", "--size", "test", "--monitor", "nowhere"}); status != BadInput || !strings.Contains(again.String(), "expected HOST:PORT") {
		t.Errorf("status %d, %q", status, again.String())
	}
}

func TestAnAkitaTraceHasTheMessagesOfTheSM(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.csv")
	var out, errs strings.Builder
	a := App{Stdout: &out, Stderr: &errs, New: gpus.New}
	if status := a.Main([]string{"run", "vecadd", "--size", "test", "--set", "sm.count=1", "--akita-trace", file, "--window", "0:500"}); status != Done {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if lines[0] != "ID, ParentID, Kind, What, Where, Start, End" || len(lines) < 100 || !strings.Contains(string(text), "queue, bank.Access, GPU.SM[0].RegFile") {
		t.Errorf("%d rows, the first: %s", len(lines), lines[0])
	}
	if list, _ := os.ReadDir(filepath.Dir(file)); len(list) != 1 {
		t.Errorf("%d files left, want 1", len(list))
	}
}
