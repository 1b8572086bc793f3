// Package machinetest has the shared helpers of tests of whole machines: it builds machines from configurations and
// runs built-in applications on them.
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

// New builds a machine. The output of printf in kernels is discarded.
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

// Run runs an application at size test on two SMs, with every operand checked. It returns the results of the
// launches.
func Run(t testing.TB, r config.Request, o gpus.Options, name string) []result.Kernel {
	t.Helper()
	r.Set = append([]string{"sm.count=2"}, r.Set...)
	o.Check = true
	m := New(t, r, o)
	benchtest.On(t, m, name)
	return m.Results()
}

var wide = flag.Bool("wide", false, "every application with every setting")

// Turns returns the settings for application number i: one of the settings in rotation, or all of them with the
// flag -wide (go test ./regfile/bow -args -wide).
func Turns[T any](i int, settings []T) []T {
	if *wide {
		return settings
	}
	i %= len(settings)
	return settings[i : i+1]
}
