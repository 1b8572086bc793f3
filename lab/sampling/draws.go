package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"kumiko/benchmarks"
	"kumiko/gpus/config"
)

// draws draws the cases of an experiment. The same seed gives the same cases.
type draws struct{ rng *rand.Rand }

func newDraws(seed uint64) *draws { return &draws{rand.New(rand.NewPCG(seed, 0))} }

// drawn is a case: a program of some size on some GPU.
type drawn struct {
	app  *benchmarks.App
	size benchmarks.Size
	gpu  config.Request
}

func (x drawn) String() string {
	return fmt.Sprintf("%s %s %s %s", x.app.Name, x.size, x.gpu.Design, strings.Join(x.gpu.Set, " "))
}

// designs have one of each kind of register file, and each way of keeping CTAs resident.
var designs = []string{"conventional", "conventional", "conventional", "rfc-two-level", "ltrf", "shrf", "malekeh",
	"regmutex", "sharing", "owf", "bow-wr", "compressed", "scalar", "finereg", "virtual-thread", "reg-dram"}

// builtIn are programs of sizes whose launches have 23 waves or more, or dozens of similar ones, on one SM, and that
// take some seconds.
var builtIn = []struct {
	name string
	size benchmarks.Size
}{
	{"vecadd", benchmarks.Study}, {"b+tree", benchmarks.Study}, {"dct8x8", benchmarks.Small},
	{"gaussian", benchmarks.Small}, {"gramschmidt", benchmarks.Small}, {"lud", benchmarks.Small},
}

// next draws a case. Designs that do not fit the GPU's slice are drawn again.
func (d *draws) next() drawn {
	for {
		x := d.anyCase()
		if _, err := config.Load(x.gpu); err == nil {
			return x
		}
	}
}

func (d *draws) anyCase() drawn {
	x := drawn{size: benchmarks.Test, gpu: config.Request{GPU: "gtx980", Design: pick(d, designs...),
		Set: []string{fmt.Sprintf("slice.sms=%d", pick(d, 1, 2))}}}
	switch k := d.rng.IntN(10); {
	case k < 6:
		x.app = d.synthetic()
	case k < 8:
		x.app = d.uneven()
	default:
		b := pick(d, builtIn...)
		x.app, x.size = benchmarks.Find(b.name), b.size
		x.gpu.Set = []string{"slice.sms=1"}
	}
	return x
}

func pick[T any](d *draws, of ...T) T { return of[d.rng.IntN(len(of))] }

// instructions bounds the warp instructions of a drawn program's whole run, and leastCTAs its CTAs: 23 waves of 16 and
// some.
const (
	instructions = 400_000
	leastCTAs    = 400
)

// synthetic draws the dials of a generated kernel.
func (d *draws) synthetic() *benchmarks.App {
	for {
		block, iters, div := pick(d, 64, 128, 256, 512), 1+d.rng.IntN(3), pick(d, 1, 1, 1, 2, 4)
		mem, reuse := pick(d, 0, 2, 5, 10, 20, 40, 70), 4+d.rng.IntN(16)
		span, dep, stride, idle := 1<<(12+d.rng.IntN(13)), 1+d.rng.IntN(16), d.rng.IntN(reuse), pick(d, 0, 0, 16, 32)
		// A loaded addend takes three instructions more than one in a register.
		most := instructions / (block / 32 * iters * div * 64 * (100 + 3*mem) / 100)
		if most <= leastCTAs {
			continue
		}
		ctas := leastCTAs + d.rng.IntN(most-leastCTAs)
		return mustOpen(fmt.Sprintf("synthetic:ctas=%d,iters=%d,div=%d,mem=%d,span=%d,dep=%d,reuse=%d,stride=%d,"+
			"idle=%d,block=%d", ctas, iters, div, mem, span, dep, reuse, stride, idle, block))
	}
}

// uneven draws a kernel of CTAs of unequal lengths.
func (d *draws) uneven() *benchmarks.App {
	u := uneven{ctas: leastCTAs + d.rng.IntN(2000), threads: pick(d, 64, 128, 256), loads: 2 + d.rng.IntN(6),
		rare: pick(d, 3, 10, 30, 100, 300), longer: pick(d, 2, 5, 20, 60), seed: d.rng.Uint32()}
	mean := u.loads * (1 + (u.longer-1)/u.rare) * turnInstructions * u.threads / 32
	u.ctas = min(u.ctas, max(instructions/mean, leastCTAs))
	return u.app()
}

// mustOpen opens a built-in program by a name that is known to be right.
func mustOpen(name string) *benchmarks.App {
	a, err := benchmarks.Open(name)
	if err != nil {
		panic(err)
	}
	return a
}
