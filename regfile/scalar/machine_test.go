package scalar_test

import (
	"testing"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
)

func run(t testing.TB, name, gpu string, set ...string) []result.Kernel {
	t.Helper()
	return machinetest.Run(t, config.Request{GPU: gpu, Set: append([]string{"regfile.kind=scalar"}, set...)},
		gpus.Options{Check: true}, name)
}

// balanced compares counts independent of the scalar file's behaviour.
func balanced(t *testing.T, list []result.Kernel) {
	t.Helper()
	stats := result.Sum(list).Stats
	n := func(name string) uint64 { return stats["regfile."+name] }
	scalar := n("scalar.reads.uniform") + n("scalar.reads.affine")
	for _, x := range []struct {
		what string
		a, b uint64
	}{
		{"operands = read + captured", n("collector.operands"),
			n("scalar.reads.vector") + scalar + n("bypass.captures")},
		{"operands read of banks", n("scalar.reads.vector"), n("bank.reads.operand")},
		{"results written to banks", n("scalar.writes.vector"), n("bank.writes.result")},
		{"results", n("writeback.writes"),
			n("scalar.writes.vector") + n("scalar.writes.uniform") + n("scalar.writes.affine")},
		{"registers spread", n("scalar.spread"), n("bank.writes.expansion")},
	} {
		if x.a != x.b {
			t.Errorf("%s: %d and %d", x.what, x.a, x.b)
		}
	}
}

// settings are the main variants.
var settings = [][]string{
	nil,
	{"regfile.scalar.affine=false", "regfile.conventional.sub_cores=1"},
	{"regfile.scalar.entries=4", "regfile.scalar.reads=1"},
	{"sched.policy=two-level", "sched.active=8"},
}

func TestEveryApplicationIsRightAndItsAccountBalances(t *testing.T) {
	if testing.Short() {
		t.Skip("whole applications")
	}
	for i, a := range benchmarks.List() {
		t.Run(a.Name, func(t *testing.T) {
			gpu := []string{"gtx980", "tesla-c2050"}[i/len(settings)%2]
			for _, s := range machinetest.Turns(i, settings) {
				balanced(t, run(t, a.Name, gpu, s...))
			}
		})
	}
}

func TestMoreEntriesKeepMoreRegistersFromTheBanks(t *testing.T) {
	reads := func(entries string) uint64 {
		list := run(t, "hotspot", "gtx980", "regfile.scalar.entries="+entries)
		balanced(t, list)
		return result.Sum(list).Stats["regfile.bank.reads.operand"]
	}
	if every, two := reads("0"), reads("2"); every >= two {
		t.Errorf("%d operands read of the banks with entries for every register, %d with two", every, two)
	}
}
