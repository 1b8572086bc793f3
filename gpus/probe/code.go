package probe

import (
	"fmt"
	"math/rand/v2"

	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// MostInstructions bounds the instructions of all repetitions.
const MostInstructions = 1 << 16

// Address layout. Successive accesses to global memory begin at successive lines, cycling through starts lines: the
// bank of a line in an L1's tags depends on the line's address.
const (
	globalBase  = 1 << 28
	lineBytes   = 128
	starts      = 64
	sharedBytes = lanes * mostStride
)

const lanes = 32

// A late warp executes NOPs before the sequence. The timeline shows the NOPs as wait. NOP n of mostLate has a stall
// count of n: 11 is the largest one obeyed by every GPU without a yield flag. On GPUs that issue by control words two
// of the NOPs are drawn, so that warps wait at the same time. On other GPUs a NOP takes an issue slot and no more, and
// a number of NOPs is drawn.
const (
	mostLate = 11
	wait     = "WAIT"
)

// kernel returns the kernel of a probe: the sequence repeated, or once with its loop, and an exit.
func kernel(code []ir.Inst, s *Spec) (*ir.Kernel, error) {
	repeat := s.Repeat
	if len(code) == 0 {
		return nil, fmt.Errorf("found no instruction, expected some")
	}
	if n := len(code) * repeat; n > MostInstructions {
		return nil, fmt.Errorf("found %d repetitions of %d instructions, expected at most %d instructions in all",
			repeat, len(code), MostInstructions)
	}
	k := &ir.Kernel{Name: "probe", File: s.File, NumPreds: 16}
	for i := range code {
		in := &code[i]
		in.T.Guarded = in.Guard.Kind == ir.KindNone && in.Guard.Neg // never true
		switch in.T.Class {
		case ir.ClassBranch, ir.ClassExit, ir.ClassBarrier:
			if s.Loop == nil || i != s.Loop.To-1 {
				return nil, &RefusedError{Line: int(in.Line), Col: int(in.Col), Opcode: in.Sym}
			}
		}
		for _, r := range append(in.T.Src[:in.T.NSrc:in.T.NSrc], in.T.Dst[:in.T.NDst]...) {
			k.NumRegs = max(k.NumRegs, int(r)+1)
		}
	}
	if s.Loop != nil {
		repeat = 1
	}
	for range repeat {
		k.Insts = append(k.Insts, code...)
	}
	stalled := func(in ir.Inst, count int) {
		ir.SetTiming(&in)
		in.Control = ir.Plain(count)
		k.Insts = append(k.Insts, in)
	}
	stalled(ir.Inst{Op: ir.OpExit}, 1)
	if s.phase > 0 { // after the exit, so that the addresses of the sequence stay the same
		for i := range mostLate {
			stalled(ir.Inst{Op: ir.OpNop, Sym: wait}, i+1)
		}
	}
	k.Footprint = max(4, (k.NumRegs+3)/4*4)
	return k, nil
}

// RefusedError reports an instruction not allowed in a sequence.
type RefusedError struct {
	Line, Col int
	Opcode    string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%d:%d: found %s, expected instructions in a straight line, or one loop: no other branches, "+
		"barriers and exits", e.Line, e.Col, e.Opcode)
}

// warps is a source of CTAs, each with a fixed number of warps running a kernel.
type warps struct {
	kernel *ir.Kernel
	each   int // warps per CTA
	ctas   int
	next   int
	stride *int     // Spec.Stride
	block  int      // Spec.Block
	fixed  bool     // Spec.Fixed
	listed []uint64 // addresses of blocks
	line   uint64   // line number of the next access to global memory
	loop   *Loop
	repeat int // passes of the loop
	phase  int // selects the warps' delays; 0: all start at once
	late   *rand.Rand
	// control is set if stall counts are obeyed.
	control bool
}

var _ stream.OpenSource = (*warps)(nil)

// Next implements stream.Source.
func (s *warps) Next() *stream.CTA {
	if s.next == s.ctas {
		return nil
	}
	c := &stream.CTA{Index: s.next, Kernel: s.kernel, Warps: make([]stream.Warp, s.each)}
	for i := range c.Warps {
		c.Warps[i] = s.warp()
	}
	s.next++
	return c
}

// Err implements stream.Source.
func (s *warps) Err() error { return nil }

// Close ends the streams.
func (s *warps) Close() {}

// warp returns the stream of a warp. All lanes execute every instruction once, and the instructions of a loop in
// every pass. With a guard that is never true no lane does.
func (s *warps) warp() stream.Warp {
	n := len(s.kernel.Insts)
	w := stream.Warp{}
	from := 0
	if s.phase > 0 {
		n -= mostLate
		s.delay(&w, n)
	}
	if l := s.loop; l != nil {
		for range s.repeat {
			s.run(&w, from, l.To)
			from = l.From
		}
		from = l.To
	}
	s.run(&w, from, n)
	return w
}

// delay appends NOPs to a stream, drawn from those at a place.
func (s *warps) delay(w *stream.Warp, at int) {
	if !s.control {
		s.run(w, at+mostLate-s.late.IntN(mostLate+1), at+mostLate)
		return
	}
	for range 2 {
		if n := s.late.IntN(mostLate + 1); n > 0 {
			s.run(w, at+n-1, at+n)
		}
	}
}

// run appends the instructions from one place to another to a stream.
func (s *warps) run(w *stream.Warp, from, to int) {
	if from == to {
		return
	}
	n := uint64(to - from)
	w.Runs = append(w.Runs, stream.Run{PC: uint32(from), N: uint32(n), Mask: ^uint32(0)})
	w.Insts += n
	w.Lanes += n * lanes
	for i := from; i < to; i++ {
		t := &s.kernel.Insts[i].T
		if t.Guarded {
			w.Masks = append(w.Masks, 0)
			w.Lanes -= lanes
			continue
		}
		switch t.Space {
		case ir.SpaceNone:
		case ir.Shared, ir.Local, ir.Const:
			w.Accesses = append(w.Accesses, stream.Access{Stride: s.laneStride(t), Space: t.Space})
		default:
			base := globalBase + s.line%starts*lineBytes
			a := stream.Access{Base: base, Stride: s.laneStride(t), Space: ir.Global}
			if s.block > 0 && t.NAddr > 0 {
				from := len(s.listed)
				for l := range lanes {
					s.listed = append(s.listed, base+uint64(l/s.block**s.stride+l%s.block*int(t.Bytes)))
				}
				a.SetList(ir.Global, &s.listed, from, lanes)
			}
			w.Accesses = append(w.Accesses, a)
			if !s.fixed {
				s.line++
			}
		}
	}
}

// laneStride returns the distance in bytes between the addresses of neighbouring lanes. By default lanes access
// neighbouring addresses if a register holds the address, and otherwise one common address. Constants are read at
// one common address, since lanes read one constant at a time.
func (s *warps) laneStride(t *ir.Timing) int32 {
	switch {
	case t.NAddr == 0 || t.Space == ir.Const:
		return 0
	case s.stride != nil && s.block == 0:
		return int32(*s.stride)
	}
	return int32(t.Bytes)
}
