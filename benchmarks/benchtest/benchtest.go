// Package benchtest is the common test of all applications. An application's results must be right on the
// functional emulator, both as PTX is written and in machine form, and its check must fail for wrong results. On
// runs applications on other machines.
package benchtest

import (
	"errors"
	"testing"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

// limit is the maximum number of warp instructions at size test, in machine form.
const limit = 20_000

// Run tests an application at size test.
func Run(t *testing.T, name string) {
	t.Helper()
	app := benchmarks.Find(name)
	if app == nil {
		t.Fatalf("%s is not registered", name)
	}
	var asWritten *watch
	t.Run("ResultsAreRightAsWritten", func(t *testing.T) {
		asWritten = newWatch(app)
		right(t, asWritten)
	})
	t.Run("ResultsAreRightInMachineForm", func(t *testing.T) {
		w := newWatch(app)
		w.compile()
		right(t, w)
		if w.insts > limit {
			t.Errorf("%d warp instructions, at most %d at size test", w.insts, limit)
		}
	})
	t.Run("ResultsAreRightInThePapersRegisters", func(t *testing.T) {
		w := newWatch(app)
		w.compile()
		w.inner = app.PaperRegisters(w.inner)
		right(t, w)
	})
	for _, output := range app.Outputs {
		for _, where := range []string{"First", "Middle", "Last"} {
			t.Run("TheCheckFindsAWrong"+where+"ElementOf/"+output, func(t *testing.T) {
				w := newWatch(app)
				w.spoilAfter, w.output, w.where = asWritten.launches, output, where
				wrong(t, w)
			})
		}
	}
}

// right expects the check to pass and the launches to have the registered shapes.
func right(t *testing.T, w *watch) {
	t.Helper()
	if err := runWith(t, w); err != nil {
		t.Fatal(err)
	}
	for i := range w.app.Kernels {
		if k := &w.app.Kernels[i]; !w.seen[k.Name] {
			t.Errorf("kernel %s was not launched", k.Name)
		}
	}
	for _, problem := range w.problems {
		t.Error(problem)
	}
}

// wrong corrupts one element of an output after the last launch. The check must name the output's buffer.
func wrong(t *testing.T, w *watch) {
	t.Helper()
	err := runWith(t, w)
	var bad *host.CheckError
	if !errors.As(err, &bad) {
		t.Fatalf("got %v, expected a CheckError", err)
	}
	if bad.Buffer != w.output || bad.Mismatches == 0 || bad.First == "" {
		t.Errorf("got %v, expected a mismatch in %s", bad, w.output)
	}
}

func runWith(t *testing.T, w *watch) error {
	t.Helper()
	p, err := w.app.New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	return p.Run(&host.Device{Mem: w.mem, Runner: w})
}
