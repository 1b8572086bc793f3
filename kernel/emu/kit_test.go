package emu

import (
	"bytes"
	"encoding/binary"
	"testing"

	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/stream"
)

// kit builds a kernel by hand. Its parameters are pointers.
type kit struct {
	insts  []ir.Inst
	labels map[string]int
	fixups map[int]string
	lists  map[int][]string
	params int
	shared int
	local  int
}

func newKit(params int) *kit {
	return &kit{labels: map[string]int{}, fixups: map[int]string{}, lists: map[int][]string{}, params: params}
}

func (k *kit) add(in ir.Inst) *ir.Inst {
	in.Line = int32(len(k.insts) + 1)
	k.insts = append(k.insts, in)
	return &k.insts[len(k.insts)-1]
}

// op adds an operation on registers.
func (k *kit) op(op ir.Op, t ir.Type, d ir.Operand, src ...ir.Operand) *ir.Inst {
	return k.add(ir.Inst{Op: op, Type: t, SrcType: t, Dst: []ir.Operand{d}, Src: src})
}

func (k *kit) label(name string) { k.labels[name] = len(k.insts) }

// bra branches the lanes with a true guard; KindNone: always.
func (k *kit) bra(guard ir.Operand, label string) {
	k.fixups[len(k.insts)] = label
	k.add(ir.Inst{Op: ir.OpBra, Guard: guard})
}

// brx branches to one of several labels.
func (k *kit) brx(guard, index ir.Operand, labels ...string) {
	k.lists[len(k.insts)] = labels
	k.add(ir.Inst{Op: ir.OpBrx, Guard: guard, Src: []ir.Operand{index}})
}

func (k *kit) exit(guard ir.Operand) { k.add(ir.Inst{Op: ir.OpExit, Guard: guard}) }

// ld and st access memory at a register of two words plus an offset.
func (k *kit) ld(t ir.Type, d ir.Operand, space ir.Space, base ir.Operand, off int64) *ir.Inst {
	return k.add(ir.Inst{Op: ir.OpLd, Type: t, Dst: []ir.Operand{d}, Space: space,
		Addr: ir.Addr{Base: base, Offset: off}})
}

func (k *kit) st(t ir.Type, space ir.Space, base ir.Operand, off int64, v ir.Operand) *ir.Inst {
	return k.add(ir.Inst{Op: ir.OpSt, Type: t, Src: []ir.Operand{v}, Space: space,
		Addr: ir.Addr{Base: base, Offset: off}})
}

func special(s ir.Special) ir.Operand { return ir.Operand{Kind: ir.KindSpecial, Special: s, Words: 1} }

func param(i int) ir.Operand { return ir.Operand{Kind: ir.KindParam, Imm: uint64(8 * i), Words: 2} }

// element makes registers d, d+1 the address of element tid of parameter i,
// given the index register.
func (k *kit) element(d ir.Reg, i int, index ir.Reg, size uint64) {
	k.add(ir.Inst{Op: ir.OpMad, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Part: ir.Wide},
		Dst: []ir.Operand{ir.R(d, 2)}, Src: []ir.Operand{ir.R(index, 1), ir.Imm(size, 1), param(i)}})
}

// globalIndex makes register d the linear index of the thread in x.
func (k *kit) globalIndex(d ir.Reg) {
	k.op(ir.OpMov, ir.U32, ir.R(d, 1), special(ir.TidX))
	k.add(ir.Inst{Op: ir.OpMad, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Part: ir.Lo},
		Dst: []ir.Operand{ir.R(d, 1)}, Src: []ir.Operand{special(ir.CtaidX), special(ir.NtidX), ir.R(d, 1)}})
}

// kernel finishes the kernel: registers are counted, branches resolved.
func (k *kit) kernel() *ir.Kernel {
	for at, l := range k.fixups {
		k.insts[at].Target = k.labels[l]
	}
	for at, ls := range k.lists {
		k.insts[at].Targets = nil
		for _, l := range ls {
			k.insts[at].Targets = append(k.insts[at].Targets, k.labels[l])
		}
	}
	out := &ir.Kernel{Name: "kit", File: "kit.ptx", Insts: k.insts, ParamBytes: 8 * k.params,
		SharedBytes: k.shared, LocalBytes: k.local}
	for i := range k.params {
		out.Params = append(out.Params, ir.ParamDecl{Name: "p", Type: ir.U64, Count: 1, Offset: 8 * i, Size: 8,
			Align: 8})
	}
	count := func(o ir.Operand) {
		switch o.Kind {
		case ir.KindReg:
			out.NumRegs = max(out.NumRegs, int(o.Reg)+max(int(o.Words), 1))
		case ir.KindPred:
			out.NumPreds = max(out.NumPreds, int(o.Reg)+1)
		}
	}
	for i := range k.insts {
		in := &k.insts[i]
		for _, o := range in.Dst {
			count(o)
		}
		for _, o := range in.Src {
			count(o)
		}
		count(in.Guard)
		count(in.Addr.Base)
	}
	return out
}

// launch describes a one-dimensional launch with pointer arguments.
func launch(grid, block int, args ...uint64) *host.Launch {
	l := &host.Launch{Kernel: "kit", Grid: [3]int{grid, 1, 1}, Block: [3]int{block, 1, 1}}
	for _, a := range args {
		l.Args = append(l.Args, host.U64(a))
	}
	return l
}

// prepare makes a launch ready or fails the test.
func prepare(t testing.TB, k *ir.Kernel, m *mem.Memory, l *host.Launch) *Launch {
	t.Helper()
	p, err := Prepare(k)
	if err != nil {
		t.Fatal(err)
	}
	e, err := NewLaunch(p, m, l, Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// collect runs a launch through a Source and returns its CTAs.
func collect(t testing.TB, l *Launch) []*stream.CTA {
	t.Helper()
	s := NewSource(l, 4)
	defer s.Close()
	var all []*stream.CTA
	for c := s.Next(); c != nil; c = s.Next() {
		all = append(all, c)
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// words reads n 32-bit words.
func words(t testing.TB, m *mem.Memory, addr uint64, n int) []uint32 {
	t.Helper()
	b, err := m.Bytes(addr, 4*n)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]uint32, n)
	if err := binary.Read(bytes.NewReader(b), binary.LittleEndian, out); err != nil {
		t.Fatal(err)
	}
	return out
}
