package benchtest

import (
	"testing"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
	"kumiko/kernel/mem"
)

// Machine runs launches in a memory of its own.
type Machine interface {
	host.Runner
	Memory() *mem.Memory
}

// On runs an application at size test on a machine. The application compares the memory contents with results of
// its own.
func On(t testing.TB, m Machine, name string) {
	t.Helper()
	app := benchmarks.Find(name)
	if app == nil {
		t.Fatalf("%s is not registered", name)
	}
	p, err := app.New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Run(&host.Device{Mem: m.Memory(), Runner: m}); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}
