package code

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus/config"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/regfile"
	"kumiko/sm/fetch"
)

// loop is a kernel of n instructions with a branch back to its first, and a parameter.
func loop(name string, n, registers int) *ir.Kernel {
	k := &ir.Kernel{Name: name, Footprint: registers, NumRegs: registers}
	for range n {
		k.Insts = append(k.Insts, ir.Inst{Op: ir.OpAdd, Reconv: n})
	}
	k.Insts[n-1] = ir.Inst{Op: ir.OpBra, Target: 0, Reconv: n, Src: []ir.Operand{{Kind: ir.KindParam, Imm: 8}}}
	return k
}

func TestKernelsSideBySideAreOneProgramWithTheirOwnAddressesAndConstants(t *testing.T) {
	c, err := config.Load(config.Request{GPU: "gtx980"})
	if err != nil {
		t.Fatal(err)
	}
	s := NewStore(c)
	a, b := loop("a", 3, 8), loop("b", 2, 12)
	s.Place(b) // first in memory
	s.Place(a)
	l, err := s.Link([]*ir.Kernel{a, b, a, a}, []int{0, 1, 1, 0}, make([]*regfile.Insertions, 4))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(l.Program.Info); n != 2+3+3 {
		t.Fatalf("%d instructions, want those of b and twice a's", n)
	}
	alone := s.Program(a, nil)
	for _, x := range []struct {
		kernel          *ir.Kernel
		stream          int
		base            uint32
		constants, code uint64
	}{{b, 1, 0, 1 << 20, s.memory.of[b]}, {a, 0, 2, 0, s.memory.of[a]}, {a, 1, 5, 1 << 20, s.memory.of[a]}} {
		cta := &stream.CTA{Kernel: x.kernel, Warps: []stream.Warp{{Runs: []stream.Run{{PC: 0, N: 2, Mask: 1}}}}}
		got := l.CTA(cta, x.kernel, x.stream)
		if got.Warps[0].Runs[0].PC != x.base || cta.Warps[0].Runs[0].PC != 0 ||
			got.Kernel.Footprint != x.kernel.Footprint {
			t.Errorf("%s in stream %d: %+v", x.kernel.Name, x.stream, got.Warps[0].Runs)
		}
		last := int(x.base) + len(x.kernel.Insts) - 1
		if in := &got.Kernel.Insts[last]; in.Target != int(x.base) || in.Reconv != last+1 {
			t.Errorf("%s in stream %d: branch to %d, meeting at %d", x.kernel.Name, x.stream, in.Target, in.Reconv)
		}
		if at := l.Program.Info[last].ConstantAt; at != x.constants+0x160+8 {
			t.Errorf("%s in stream %d: a parameter at %#x", x.kernel.Name, x.stream, at)
		}
		if at := l.Program.Code + l.Program.Layout.Offset(x.base); at != x.code {
			t.Errorf("%s in stream %d: code at %#x, want %#x", x.kernel.Name, x.stream, at, x.code)
		}
	}
	if d := cmp.Diff(alone.Info[0].Uses, l.Program.Info[2].Uses); d != "" {
		t.Error(d)
	}
}

// Each kernel has a group before its first instruction, of 24 bytes of code.
func TestInsertedOperationsOfKernelsSideBySideFollowOneAnother(t *testing.T) {
	c, err := config.Load(config.Request{GPU: "gtx980"})
	if err != nil {
		t.Fatal(err)
	}
	s := NewStore(c)
	a, b := loop("a", 3, 8), loop("b", 2, 12)
	s.Place(a)
	s.Place(b)
	x := &regfile.Insertions{Group: []int32{0, 0, 0}, Ops: []regfile.Inserted{{Bytes: 24}}}
	y := &regfile.Insertions{Group: []int32{0, 1}, Ops: []regfile.Inserted{{Bytes: 24}, {Bytes: 24}}}
	l, err := s.Link([]*ir.Kernel{a, b, a}, []int{0, 1, 1}, []*regfile.Insertions{x, y, x})
	if err != nil {
		t.Fatal(err)
	}
	got := l.Program.Insert
	if d := cmp.Diff([]int32{0, 0, 0, 1, 1, 1, 2, 3}, got.Group); d != "" || len(got.Ops) != 4 {
		t.Error(d, len(got.Ops))
	}
	alone := s.Program(a, x)
	for pc := range uint32(3) {
		for _, base := range []uint32{0, 3} {
			p := &l.Program.Layout
			if got, want := p.Offset(base+pc), alone.Layout.Offset(pc); got != want {
				t.Errorf("instruction %d at %d, alone at %d", base+pc, got, want)
			}
			if got, want := p.Before(base+pc), alone.Layout.Before(pc); got != want {
				t.Errorf("the operation before instruction %d ends at %d, alone at %d", base+pc, got, want)
			}
		}
	}
	if got := l.Program.Layout.Offset(6); got != s.memory.of[b]-s.memory.of[a]+24 {
		t.Errorf("the other kernel begins at %d", got)
	}
}

func TestKernelsWithInsertedOperationsAreNotTooFarApart(t *testing.T) {
	s, a, b := farApart(t)
	x := &regfile.Insertions{Group: []int32{0, 0, 0}, Ops: []regfile.Inserted{{Bytes: 24}}}
	_, err := s.Link([]*ir.Kernel{a, b}, []int{0, 1}, []*regfile.Insertions{x, nil})
	if err == nil || !strings.Contains(err.Error(), "kernel b: found more than 4 GiB") {
		t.Error(err)
	}
}

func TestKernelsFarApartKeepTheirPlacesInMemory(t *testing.T) {
	s, a, b := farApart(t)
	l, err := s.Link([]*ir.Kernel{a, b}, []int{0, 1}, make([]*regfile.Insertions, 2))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := l.Program.Layout.Offset(3), s.memory.of[b]-s.memory.of[a]; got != want || want < 1<<32 {
		t.Errorf("the other kernel begins at %#x, want %#x", got, want)
	}
}

// farApart returns two kernels with more than 4 GiB of instruction memory between them.
func farApart(t *testing.T) (s *Store, a, b *ir.Kernel) {
	t.Helper()
	c, err := config.Load(config.Request{GPU: "gtx980"})
	if err != nil {
		t.Fatal(err)
	}
	s = NewStore(c)
	a, b = loop("a", 3, 8), loop("b", 2, 12)
	s.Place(a)
	for range 1 << 32 / fetch.CodeSize {
		s.Place(loop("other", 1, 1))
	}
	s.Place(b)
	return s, a, b
}
