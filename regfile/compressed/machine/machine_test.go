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
	return machinetest.Run(t, config.Request{GPU: gpu, Set: append([]string{"regfile.kind=compressed"}, set...)},
		gpus.Options{Check: true}, name)
}

// balanced compares counts independent of the compressors' behaviour.
func balanced(t *testing.T, list []result.Kernel) {
	t.Helper()
	stats := result.Sum(list).Stats
	n := func(name string) uint64 { return stats["regfile."+name] }
	sum := func(prefix string, names ...string) (out uint64) {
		for _, name := range names {
			out += n(prefix + name)
		}
		return out
	}
	reads := sum("compressed.reads.", "full", "equal", "byte", "half")
	packed := n("compressed.reads.equal") + 3*n("compressed.reads.byte") + 5*n("compressed.reads.half")
	machinetest.Balanced(t, map[string][2]uint64{
		"operands = read + captured": {n("collector.operands"), reads + n("bypass.captures")},
		"operands read of banks":     {reads, n("bank.reads.operand")},
		"results": {sum("compressed.writes.", "full", "equal", "byte", "half", "partial"),
			n("bank.writes.result")},
		"moved registers are read and written": {n("bank.reads.expansion"), n("bank.writes.expansion")},
		"moves":                                {n("compressed.moves"), n("bank.writes.expansion")},
		"decompressed = compressed operands and moves": {n("compressed.decompressed"),
			sum("compressed.reads.", "equal", "byte", "half") + n("compressed.moves")},
	})
	if most := packed + 8*n("compressed.reads.full") + 5*n("compressed.moves"); n("bank.group_reads") > most {
		t.Errorf("%d 16-byte banks read, at most %d by the forms", n("bank.group_reads"), most)
	}
	if n("compressed.part_cycles") < n("compressed.bank_cycles") || n("compressed.bank_cycles") == 0 {
		t.Errorf("%d cycles of banks in use, %d of parts", n("compressed.bank_cycles"), n("compressed.part_cycles"))
	}
}

// settings are the main variants.
var settings = [][]string{
	nil,
	{"regfile.compressed.delta=0", "regfile.conventional.sub_cores=1"},
	{"regfile.compressed.compression=9", "regfile.compressed.decompression=4"},
	{"sched.policy=two-level", "sched.active=8"},
}

func TestEveryApplicationIsRightAndItsAccountBalances(t *testing.T) {
	machinetest.Applications(t, settings, func(t *testing.T, name, gpu string, set []string) {
		balanced(t, run(t, name, gpu, set...))
	})
}

func TestSmallerDifferencesCompressFewerRegisters(t *testing.T) {
	groups := func(delta string) uint64 {
		list := run(t, "hotspot", "gtx980", "regfile.compressed.delta="+delta)
		balanced(t, list)
		return result.Sum(list).Stats["regfile.bank.group_reads"]
	}
	if two, none := groups("2"), groups("0"); two >= none {
		t.Errorf("%d 16-byte banks read with differences of two bytes, %d with none", two, none)
	}
}
