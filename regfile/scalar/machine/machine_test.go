package machine_test

import (
	"testing"

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
	machinetest.Balanced(t, map[string][2]uint64{
		"operands = read + captured": {n("collector.operands"),
			n("scalar.reads.vector") + scalar + n("bypass.captures")},
		"operands read of banks":   {n("scalar.reads.vector"), n("bank.reads.operand")},
		"results written to banks": {n("scalar.writes.vector"), n("bank.writes.result")},
		"results": {n("writeback.writes"),
			n("scalar.writes.vector") + n("scalar.writes.uniform") + n("scalar.writes.affine")},
		"registers spread": {n("scalar.spread"), n("bank.writes.expansion")},
	})
}

// settings are the main variants.
var settings = [][]string{
	nil,
	{"regfile.scalar.affine=false", "regfile.conventional.sub_cores=1"},
	{"regfile.scalar.entries=4", "regfile.scalar.reads=1"},
	{"sched.policy=two-level", "sched.active=8"},
}

func TestEveryApplicationIsRightAndItsAccountBalances(t *testing.T) {
	machinetest.Applications(t, settings, func(t *testing.T, name, gpu string, set []string) {
		balanced(t, run(t, name, gpu, set...))
	})
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
