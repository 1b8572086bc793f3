// Package benchtest is the test that every application passes: its results are
// right on the functional emulator, and its check fails when they are not.
package benchtest

import (
	"errors"
	"testing"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
	"kumiko/kernel/mem"
)

// testLimit is the most warp instructions that size test may have.
const testLimit = 20_000

// Run tests an application at size test.
func Run(t *testing.T, name string) {
	t.Helper()
	app := benchmarks.Find(name)
	if app == nil {
		t.Fatalf("%s is not registered", name)
	}
	launches := 0
	t.Run("ResultsAreRight", func(t *testing.T) { launches = right(t, app) })
	for _, output := range app.Outputs {
		for _, where := range []string{"first", "middle", "last"} {
			t.Run("TheCheckFindsAWrong"+where+"ElementOf"+output, func(t *testing.T) { wrong(t, app, launches, output, where) })
		}
	}
}

// right runs the application and returns how many launches it made.
func right(t *testing.T, app *benchmarks.App) int {
	w := watch{app: app}
	if err := runWith(t, app, &w); err != nil {
		t.Fatal(err)
	}
	if w.insts > testLimit {
		t.Errorf("%d warp instructions, at most %d at size test", w.insts, testLimit)
	}
	for i := range app.Kernels {
		if k := &app.Kernels[i]; !w.seen[k.Name] {
			t.Errorf("kernel %s was not launched", k.Name)
		}
	}
	for _, problem := range w.problems {
		t.Error(problem)
	}
	return w.launches
}

// wrong spoils one element of an output after the last launch; the check must
// say in which buffer.
func wrong(t *testing.T, app *benchmarks.App, launches int, output, where string) {
	w := watch{app: app, spoilAfter: launches, output: output, where: where}
	err := runWith(t, app, &w)
	var bad *host.CheckError
	if !errors.As(err, &bad) {
		t.Fatalf("got %v, expected a CheckError", err)
	}
	if bad.Buffer != output || bad.Mismatches == 0 || bad.First == "" {
		t.Errorf("got %v, expected a mismatch in %s", bad, output)
	}
}

func runWith(t *testing.T, app *benchmarks.App, w *watch) error {
	p, err := app.New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	w.mem = &mem.Memory{}
	w.seen = map[string]bool{}
	w.inner = w.newRunner()
	return p.Run(&host.Device{Mem: w.mem, Runner: w})
}
