package sampling_test

import (
	"testing"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/measure"
	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
	"kumiko/kernel/host"
)

var gtx980 = config.Request{GPU: "gtx980"}

// run runs a program on one SM with the operand check. The program checks its output.
func run(t *testing.T, name string, size benchmarks.Size, req config.Request, s *sampling.Spec,
	workers int) *result.Result {
	t.Helper()
	req.Set = append(req.Set, "sm.count=1")
	c := machinetest.Config(t, req)
	m := machinetest.Of(t, c, gpus.Options{Sample: s, Workers: workers, Check: true})
	p, err := benchmarks.Find(name).New(size)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Run(&host.Device{Mem: m.Memory(), Runner: m}); err != nil {
		t.Fatal(err)
	}
	r := measure.NewResult(c, m)
	r.Finish(0)
	return r
}
