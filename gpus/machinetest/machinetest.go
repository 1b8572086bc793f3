// Package machinetest has the shared helpers of tests of whole machines: it builds machines from configurations, runs
// built-in applications and small kernels on them, and compares the results of related runs.
package machinetest

import (
	"flag"
	"io"
	"testing"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all" // register the applications
	"kumiko/benchmarks/benchtest"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/result"
	"kumiko/kernel/host"
)

// T is what helpers need of a test: *testing.T, or a case of a property.
type T interface {
	Helper()
	Fatal(args ...any)
}

// Config loads a configuration.
func Config(t T, r config.Request) *config.Config {
	t.Helper()
	c, err := config.Load(r)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// New builds a machine. The output of printf in kernels is discarded where the options have no place for it.
func New(t T, r config.Request, o gpus.Options) *gpus.Machine {
	t.Helper()
	return Of(t, Config(t, r), o)
}

// Of builds the machine of a configuration, likewise.
func Of(t T, c *config.Config, o gpus.Options) *gpus.Machine {
	t.Helper()
	if o.Printf == nil {
		o.Printf = io.Discard
	}
	m, err := gpus.New(c, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// GPU builds a built-in GPU with settings on top.
func GPU(t T, name string, o gpus.Options, set ...string) *gpus.Machine {
	t.Helper()
	return New(t, config.Request{GPU: name, Set: set}, o)
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

// OneSM runs an application at size test on one SM of a built-in GPU.
func OneSM(t testing.TB, gpu, name string, o gpus.Options, set ...string) []result.Kernel {
	t.Helper()
	m := GPU(t, gpu, o, append([]string{"sm.count=1"}, set...)...)
	benchtest.On(t, m, name)
	return m.Results()
}

// Try runs an application at size test on one SM. It returns the error of a machine that cannot run it.
func Try(t testing.TB, r config.Request, o gpus.Options, name string) ([]result.Kernel, error) {
	t.Helper()
	r.Set = append([]string{"sm.count=1"}, r.Set...)
	m := New(t, r, o)
	p, err := benchmarks.Find(name).New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	err = p.Run(&host.Device{Mem: m.Memory(), Runner: m})
	return m.Results(), err
}

var wide = flag.Bool("wide", false, "every application with every setting")

// Turns returns the settings for application number i: one of the settings in rotation, or all of them with the
// flag -wide (go test ./regfile/bow/machine -args -wide).
func Turns[T any](i int, settings []T) []T {
	if *wide {
		return settings
	}
	i %= len(settings)
	return settings[i : i+1]
}

// Part returns the whole list, or with -short every n-th element, beginning with the first.
func Part[T any](n int, list []T) (out []T) {
	if !testing.Short() {
		return list
	}
	for i := 0; i < len(list); i += n {
		out = append(out, list[i])
	}
	return out
}

// Applications calls f for every application with the settings of its turn, on one of two GPUs.
func Applications(t *testing.T, settings [][]string, f func(t *testing.T, name, gpu string, set []string)) {
	if testing.Short() {
		t.Skip("whole applications")
	}
	for i, a := range benchmarks.List() {
		t.Run(a.Name, func(t *testing.T) {
			gpu := []string{"gtx980", "tesla-c2050"}[i/len(settings)%2]
			for _, set := range Turns(i, settings) {
				f(t, a.Name, gpu, set)
			}
		})
	}
}

// Balanced tests that the two counts of each name are equal.
func Balanced(t testing.TB, counts map[string][2]uint64) {
	t.Helper()
	for name, n := range counts {
		if n[0] != n[1] {
			t.Errorf("%s: %d and %d", name, n[0], n[1])
		}
	}
}
