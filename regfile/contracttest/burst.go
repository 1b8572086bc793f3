package contracttest

import (
	"math/rand/v2"

	"kumiko/kernel/ir"
)

// A burst is a few consecutive operations of a warp writing one register, directly followed by an operation reading
// it in all lanes. It brings several results for a register to the file in such a short time that some may not have
// reached their place when they are read. The writes have no sources, so that nothing else holds them up, and in
// half of the bursts units take one cycle.
const (
	burstShare  = 8 // one in this many operations outside bursts begins a burst
	burstWrites = 4 // most writes of a burst
)

// bursts turns some runs of consecutive operations of a program into bursts.
func (c *Config) bursts(rng *rand.Rand, steps []step, sched int) {
	for i := 0; i < len(steps); i++ {
		if rng.IntN(burstShare) != 0 {
			continue
		}
		n := 2 + rng.IntN(burstWrites-1)
		if i+n >= len(steps) {
			return
		}
		c.burst(rng, steps[i:i+n+1], sched)
		i += n
	}
}

// burst turns operations into writes of one register, except the last, which reads the register.
func (c *Config) burst(rng *rand.Rand, steps []step, sched int) {
	r, kept, quick := ir.RegID(rng.IntN(c.Pool)), steps[0].gap, rng.IntN(2) == 0
	for i := range steps {
		in := &ir.Inst{}
		steps[i] = step{inst: in, exec: ^uint32(0), unit: c.unit(rng, sched), quick: quick}
		if i == len(steps)-1 {
			in.T.Src[0], in.T.NSrc = r, uint8(1+rng.IntN(3))
			for k := 1; k < int(in.T.NSrc); k++ {
				in.T.Src[k] = ir.RegID(rng.IntN(c.Pool))
			}
			in.T.Dst[0], in.T.NDst = ir.RegID(rng.IntN(c.Pool)), 1
			break
		}
		in.T.Dst[0], in.T.NDst = r, 1
		steps[i].exec = burstMask(rng, i)
	}
	steps[0].gap = kept
}

// burstMask returns the lanes written by write number i of a burst: all lanes, random lanes, or one half of them,
// alternating from write to write.
func burstMask(rng *rand.Rand, i int) uint32 {
	switch rng.IntN(4) {
	case 0:
		return 0x0000ffff << (16 * (i & 1))
	case 1:
		return rng.Uint32()
	default:
		return ^uint32(0)
	}
}

// quick returns the set of instructions for which units take one cycle.
func quick(programs [][][]step) map[*ir.Inst]bool {
	set := map[*ir.Inst]bool{}
	for _, w := range programs {
		for _, steps := range w {
			for i := range steps {
				if steps[i].quick {
					set[steps[i].inst] = true
				}
			}
		}
	}
	return set
}
