package benchmarks

import (
	"hash/fnv"
	"math/rand/v2"
)

// Rand is a generator for one input: the same in every run, and different for
// every application and buffer.
func (c *Context) Rand(buffer string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(c.app))
	h.Write([]byte{0})
	h.Write([]byte(buffer))
	return rand.New(rand.NewPCG(h.Sum64(), 0x6b756d696b6f))
}

// Floats makes n numbers, uniform in [low, high).
func (c *Context) Floats(buffer string, n int, low, high float32) []float32 {
	r := c.Rand(buffer)
	out := make([]float32, n)
	for i := range out {
		out[i] = low + (high-low)*float32(r.Uint32()>>8)/(1<<24)
	}
	return out
}

// Ints makes n numbers, uniform in [low, high].
func (c *Context) Ints(buffer string, n int, low, high int32) []int32 {
	r := c.Rand(buffer)
	out := make([]int32, n)
	for i := range out {
		out[i] = low + r.Int32N(high-low+1)
	}
	return out
}
