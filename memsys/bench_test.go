package memsys

import (
	"testing"

	"kumiko/kernel/ir"
	"kumiko/memsys/internal/blocktest"
)

// BenchmarkStreaming is the memory side of a vector addition on 16 SMs: two
// loads and a store of 128 bytes each, all missing. It reports the host's time
// per transaction.
func BenchmarkStreaming(b *testing.B) {
	m := newMachine(b, GTX980(), 16)
	per := max(b.N/16/3, 1)
	for i, v := range m.drivers {
		for k := range per {
			at := uint64(ir.GlobalBase) + uint64(k*16+i)*128
			v.add(line(load4, ir.Global, at))
			v.add(line(load4, ir.Global, at+1<<30))
			v.add(line(store4, ir.Global, at+1<<31))
		}
	}
	b.ReportAllocs()
	b.ResetTimer()
	m.run(b)
	b.StopTimer()
	n := float64(per * 3 * 16)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/n, "ns/txn")
	b.ReportMetric(float64(m.dom.Now()), "cycles")
	var last uint64
	for _, v := range m.drivers {
		for _, c := range v.done {
			last = max(last, c)
		}
	}
	b.ReportMetric(n*128/float64(last), "bytes/cycle")
}

// BenchmarkL1Hits measures the host's time for a load of 128 bytes hitting the L1.
func BenchmarkL1Hits(b *testing.B) {
	m := newMachine(b, GTX980(), 16)
	per := max(b.N/16, 1)
	for i, v := range m.drivers {
		for k := range per {
			v.add(line(load4, ir.Global, uint64(ir.GlobalBase)+uint64(k%64*16+i)*128))
		}
	}
	b.ReportAllocs()
	b.ResetTimer()
	m.run(b)
	b.StopTimer()
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(per*16), "ns/txn")
}

// BenchmarkShared measures the host's time for a conflict-free load of shared memory
// with listed addresses.
func BenchmarkShared(b *testing.B) {
	m := newMachine(b, GTX980(), 16)
	per := max(b.N/16, 1)
	var list []uint64
	for l := range 32 {
		list = append(list, uint64(l^5)*4)
	}
	for _, v := range m.drivers {
		for range per {
			acc := blocktest.Listed(ir.Shared, list...)
			v.add(Access{Inst: load4, Acc: &acc, Exec: all})
		}
	}
	b.ReportAllocs()
	b.ResetTimer()
	m.run(b)
	b.StopTimer()
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(per*16), "ns/txn")
}
