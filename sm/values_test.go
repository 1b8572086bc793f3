package sm

import (
	"strings"
	"testing"

	"kumiko/components/version"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/sm/message"
	"kumiko/sm/smtest"
)

// newValuePlane returns the plane of an SM with four contexts. A CTA of two warps is in contexts 3 and 1. Its kernel
// writes two registers, compares without a result, and writes a register under a guard.
func newValuePlane() (p *valuePlane, k *ir.Kernel) {
	k = smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1, 2}), smtest.Inst(ir.ClassInt, nil),
		smtest.Inst(ir.ClassInt, []int{3}))
	k.Insts[2].T.Guarded = true
	run := []stream.Run{{PC: 0, N: 3, Mask: ^uint32(0)}}
	cta := &stream.CTA{Kernel: k,
		Warps:  []stream.Warp{{Runs: run, Masks: []uint32{0}}, {Runs: run, Masks: []uint32{7}}},
		Values: [][]stream.Value{{stream.Equal, stream.Byte}, {stream.Half, stream.Unlike, stream.Equal}}}
	p = &valuePlane{values: version.NewValues(4, 16, true), warps: make([]stream.ValueCursor, 4),
		cta: func(uint16) *stream.CTA { return cta }}
	p.Admitted(0, 0, []uint16{3, 1})
	return p, k
}

// issued issues the i-th instruction of a warp context.
func (p *valuePlane) issued(k *ir.Kernel, context uint16, i int, exec, tag uint32) {
	p.Issued(0, &message.Fetched{Inst: &k.Insts[i], Exec: exec, Warp: context}, tag)
}

func TestTheClassesOfAWarpAreEnteredAsItsInstructionsIssue(t *testing.T) {
	p, k := newValuePlane()
	p.issued(k, 1, 0, ^uint32(0), 4)
	p.issued(k, 3, 0, ^uint32(0), 8)
	p.issued(k, 1, 1, ^uint32(0), 12)
	p.issued(k, 1, 2, 7, 16)
	for _, x := range []struct {
		tag  uint32
		reg  ir.RegID
		want stream.Value
	}{{4, 1, stream.Half}, {4, 2, stream.Unlike}, {8, 1, stream.Equal}, {8, 2, stream.Byte}, {16, 3, stream.Equal}} {
		if got := p.values.Take(x.tag, x.reg); got != x.want {
			t.Errorf("R%d of operation %d has class %d, want %d", x.reg, x.tag, got, x.want)
		}
	}
	if w, ok := p.values.Before(1, 3, 20); !ok || w.Lanes != 7 {
		t.Errorf("the newest write of R3 is %+v, want one of three lanes", w)
	}
}

func TestAnInstructionWithoutAnExecutingLaneHasNoValue(t *testing.T) {
	p, k := newValuePlane()
	for i := range 3 {
		p.issued(k, 3, i, 0, uint32(4*i+4))
	}
	if w, ok := p.values.Before(3, 3, 100); ok {
		t.Errorf("R3 was written by %+v", w)
	}
}

func TestAnInstructionThatIsNotTheNextOneOfItsStreamIsAFault(t *testing.T) {
	p, k := newValuePlane()
	defer func() {
		if v, _ := recover().(string); !strings.Contains(v, "warp 1") {
			t.Errorf("panicked with %q, want the warp", v)
		}
	}()
	p.issued(k, 1, 1, ^uint32(0), 4)
	t.Error("another instruction than the next one was taken")
}
