// Package smtest has helpers for the tests of an SM's blocks: instructions, kernels, CTAs.
package smtest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/sm/message"
)

// Inst makes an instruction with the timing fields of an allocated one.
func Inst(c ir.Class, dst []int, src ...int) ir.Inst {
	in := ir.Inst{T: ir.Timing{Class: c, NSrc: uint8(len(src)), NDst: uint8(len(dst))}}
	for i, r := range dst {
		in.T.Dst[i] = ir.RegID(r)
	}
	for i, r := range src {
		in.T.Src[i] = ir.RegID(r)
	}
	if c == ir.ClassBarrier {
		in.Op = ir.OpBar
	}
	if c == ir.ClassLoad || c == ir.ClassStore {
		in.T.Space = ir.Global
	}
	return in
}

func KernelOf(insts ...ir.Inst) *ir.Kernel { return &ir.Kernel{Name: "k", Insts: insts} }

// Straight returns the stream of a warp executing instructions 0 to n-1 once.
func Straight(n int) stream.Warp {
	return stream.Warp{Runs: []stream.Run{{PC: 0, N: uint32(n), Mask: ^uint32(0)}}}
}

func CtaOf(warps int) *stream.CTA {
	c := &stream.CTA{Kernel: KernelOf(Inst(ir.ClassExit, nil)), Warps: make([]stream.Warp, warps)}
	for i := range c.Warps {
		c.Warps[i] = Straight(1)
	}
	return c
}

func SetOf(warps ...int) (s message.WarpSet) {
	for _, w := range warps {
		s.Add(w)
	}
	return s
}

func Arrivals[T any](s *wiretest.Sink[T]) []wire.Cycle {
	var out []wire.Cycle
	for _, g := range s.Got {
		out = append(out, g.Cycle)
	}
	return out
}

func WantCycles(t *testing.T, what string, got, want []wire.Cycle) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

const GHz = 1e9

func Run(pc, n uint32) stream.Run { return stream.Run{PC: pc, N: n, Mask: ^uint32(0)} }
