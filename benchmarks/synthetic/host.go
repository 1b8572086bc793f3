package synthetic

import (
	"fmt"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

const (
	name   = "synthetic"
	kernel = "synthetic"
	// exact bounds the magnitude of an accumulator: one per operation. Ramp registers add at most turns^2 * 64 <
	// 2^24 for the permitted number of turns.
	exact = 32_000
)

func init() {
	benchmarks.Register(newApp(name, defaults))
}

// size is the size of a run.
type size struct{ ctas, turns, block int }

func newApp(full string, d dials) *benchmarks.App {
	sized := func(ctas, turns, block int) size {
		s := size{ctas, turns, block}
		if d.ctas > 0 {
			s.ctas = d.ctas
		}
		if d.iters > 0 {
			s.turns = d.iters
		}
		return s
	}
	sizes := benchmarks.Sizes[size]{
		Test:  sized(4, 2, d.block),
		Small: sized(64, 4, d.block),
		Study: sized(benchmarks.StudyCTAs(d.block), 16, d.block),
	}
	return &benchmarks.App{
		Name:  full,
		Suite: "Kumiko",
		Summary: fmt.Sprintf("Generated kernels with dials (%s), as in synthetic:dep=1,mem=20: each sets one "+
			"property of the register and memory traffic.", names()),
		Kernels: []benchmarks.KernelInfo{{Name: kernel, Block: benchmarks.Dim(d.block)}},
		Outputs: []string{"out"},
		New: benchmarks.New(full, d.ptx(), &sizes,
			func(c *benchmarks.Context, s size) error { return run(c, &d, s) }),
		WithArgs: func(args string) (*benchmarks.App, error) {
			d, err := parse(args)
			if err != nil {
				return nil, err
			}
			return newApp(name+":"+args, d), nil
		},
	}
}

func run(c *benchmarks.Context, d *dials, s size) error {
	pool := signs(c, "pool", d.block*(d.reuse+d.idle))
	data := signs(c, "data", d.span/4+32*rowLength)
	dpool, ddata := host.Upload(c.Device, "pool", pool), host.Upload(c.Device, "data", data)
	dout := c.Alloc("out", 4*s.ctas*d.block)
	err := c.Launch(kernel, benchmarks.Dim(s.ctas), benchmarks.Dim(d.block), host.U64(dpool), host.U64(ddata),
		host.U64(dout), host.U32(uint32(s.turns)))
	if err != nil {
		return err
	}
	want := make([]float32, s.ctas*d.block)
	for i := range want {
		want[i] = float32(thread(d, s.turns, i, pool, data))
	}
	return benchmarks.Equal("out", host.Read[float32](c.Device, dout, len(want)), want)
}

// signs returns n numbers, each 1 or -1.
func signs(c *benchmarks.Context, buffer string, n int) []float32 {
	out := make([]float32, n)
	for i, v := range c.Ints(buffer, n, 0, 1) {
		out[i] = float32(2*v - 1)
	}
	return out
}

// thread returns the result of a thread of the grid, computed in integers.
func thread(d *dials, turns, index int, pool, data []float32) int {
	t := index % d.block
	value := func(k int) int { return int(pool[(k%d.reuse)*d.block+t]) }
	acc := make([]int, d.dep)
	group := t % d.div
	at := index * 4 % d.span
	for turn := range turns {
		for j := range rowLength {
			addend := value(j + group + d.stride)
			if d.loaded(j) {
				addend = int(data[(at+128*j)/4])
			}
			acc[j%d.dep] = acc[j%d.dep]*value(j+group) + addend
		}
		for k := range d.ramp {
			acc[k%d.dep] += value(k)*value(k+d.stride) + turn
		}
		at = (at + turnBytes) % d.span
	}
	sum := 0
	for _, a := range acc {
		sum += a
	}
	for k := range d.idle {
		sum += int(pool[(d.reuse+k)*d.block+t])
	}
	return sum
}
