package rfc

import (
	"testing"

	"kumiko/regfile"
	"kumiko/regfile/contracttest"
	"kumiko/regfile/conventional"
)

func fermi(s *Spec) {
	s.base.SubCores, s.base.Banks, s.base.BankWidth, s.base.BankPorts, s.base.Paths.OutputWidth = 1, 32, 16, "1r1w", 3
	s.base.Collectors = 10
	s.Liveness = true
}

func cached(env *regfile.Env) (regfile.Design, error) { return NewFile(env, with(fermi)) }

func plain(env *regfile.Env) (regfile.Design, error) {
	s := with(fermi)
	return conventional.New(env, &s.base)
}

// BenchmarkOperation is the time of an operation with three sources through the
// whole file, with the cache and without.
func BenchmarkOperation(b *testing.B) {
	for name, build := range map[string]func(*regfile.Env) (regfile.Design, error){"cached": cached, "plain": plain} {
		b.Run(name, func(b *testing.B) {
			f, reg := contracttest.NewFeeder(b, build)
			f.Run(4000)
			b.ReportAllocs()
			from := f.Domain().Now()
			b.ResetTimer()
			f.Run(b.N)
			b.ReportMetric(float64(b.N)/float64(f.Domain().Now()-from), "ops/cycle")
			if s := reg.Snapshot(); name == "cached" {
				b.ReportMetric(float64(s["regfile.rfc.read_hits"])/float64(s["regfile.rfc.reads"]), "hits/read")
			}
		})
	}
}

func TestARunInSteadyStateAllocatesNothing(t *testing.T) {
	f, reg := contracttest.NewFeeder(t, cached)
	f.Run(4000)
	if n := testing.AllocsPerRun(5, func() { f.Run(1000) }); n != 0 {
		t.Errorf("%v allocations in 1000 operations", n)
	}
	s := reg.Snapshot()
	for _, name := range []string{"read_hits", "evictions", "flushed", "dead_elided"} {
		if s["regfile.rfc."+name] == 0 {
			t.Errorf("no %s: the run shows little", name)
		}
	}
}
