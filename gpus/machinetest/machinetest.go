// Package machinetest has what tests of whole machines share: machines by their configuration, and
// built-in applications that run on these.
package machinetest

import (
	"flag"
	"io"
	"testing"

	_ "kumiko/benchmarks/all" // register the applications
	"kumiko/benchmarks/benchtest"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/result"
)

// New builds a machine. What kernels print is dropped.
func New(t testing.TB, r config.Request, o gpus.Options) *gpus.Machine {
	t.Helper()
	cfg, err := config.Load(r)
	if err != nil {
		t.Fatal(err)
	}
	o.Printf = io.Discard
	m, err := gpus.New(cfg, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Run runs an application at size test on two SMs, with every operand checked, and returns the
// results of its launches.
func Run(t testing.TB, r config.Request, o gpus.Options, name string) []result.Kernel {
	t.Helper()
	r.Set = append([]string{"sm.count=2"}, r.Set...)
	o.Check = true
	m := New(t, r, o)
	benchtest.On(t, m, name)
	return m.Results()
}

var wide = flag.Bool("wide", false, "every application with every setting")

// Turns returns the settings with which application number i runs: one of the settings by turns, or
// all of them with the flag -wide (go test ./regfile/bow -args -wide).
func Turns[T any](i int, settings []T) []T {
	if *wide {
		return settings
	}
	i %= len(settings)
	return settings[i : i+1]
}
