package cerf

import (
	"testing"

	"kumiko/regfile"
	"kumiko/regfile/contracttest"
)

// Registers of sixteen warps, and lines, come and go. Under lru-fair the memory has 64 entries only, so that entries
// are replaced.
func TestARunInSteadyStateAllocatesNothing(t *testing.T) {
	for policy, gone := range map[string][]string{Fair: {"spills", "refetches", "replaced.register_by_line"},
		Prioritized: {"died"}} {
		s := Default()
		s.Policy = policy
		if policy == Fair {
			s.Bytes, s.Ways = 64*128, 2
		}
		m := quick
		m.Lines = 2000
		var a *around
		f, reg := contracttest.NewFeeder(t, func(env *regfile.Env) (regfile.Design, error) {
			file, err := NewFile(env, s)
			if err == nil {
				a = surround(env.Domain, file.tags, m)
			}
			return &deaf{file}, err
		})
		run := func(ops int) {
			a.left = ops
			a.Wake()
			f.Run(ops)
		}
		run(4000)
		if n := testing.AllocsPerRun(5, func() { run(1000) }); n != 0 {
			t.Errorf("%s: %v allocations in 1000 operations and transactions", policy, n)
		}
		n := reg.Snapshot()
		for _, name := range append(gone, "write_backs", "replaced.line_by_line") {
			if n["regfile.cerf."+name] == 0 {
				t.Errorf("%s: no %s: the run shows little", policy, name)
			}
		}
	}
}
