package maxwell

import (
	"testing"

	"kumiko/components/wire"
)

// busy are instructions of four warps, one per cycle.
func busy(flags uint8) load {
	return load{seq: alternate(flags, regs(8, 13, 18), regs(9, 14, 19)), warps: 4, n: 4}
}

// BenchmarkSubCore measures the time per cycle of a sub-core accepting an instruction of three registers in nearly
// every cycle, with the reuse cache idle and in use.
func BenchmarkSubCore(b *testing.B) {
	for name, flags := range map[string]uint8{"no flags": 0, "flags": flagA | flagB} {
		b.Run(name, func(b *testing.B) {
			x := newDrive(b, Default(), busy(flags), false)
			x.f.left = b.N + 1000
			x.d.RunUntil(1000) // rings are as long as they get
			b.ReportAllocs()
			b.ResetTimer()
			x.d.RunUntil(1000 + wire.Cycle(b.N))
			b.StopTimer()
			if x.e.got < b.N {
				b.Fatalf("%d instructions in %d cycles", x.e.got, b.N)
			}
		})
	}
}

func TestASubCoreAllocatesNothing(t *testing.T) {
	x := newDrive(t, Default(), busy(flagA|flagB), false)
	x.f.left = 1 << 30
	x.d.RunUntil(1000)
	at := wire.Cycle(1000)
	n := testing.AllocsPerRun(10, func() {
		at += 1000
		x.d.RunUntil(at)
	})
	if n != 0 || x.e.got < 10000 {
		t.Errorf("%v allocations in 1000 cycles; %d instructions", n, x.e.got)
	}
}
