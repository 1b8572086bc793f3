// Package formtest has what the tests of front ends of machine code have in common: listings of a few instructions, and
// tables of forms with their meaning.
package formtest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/cubin/rules"
	"kumiko/kernel/ir"
)

// Module returns the PTX of the functions in these tests: a kernel k with 64 bytes of parameters, a constant, and a
// variable.
func Module() *ir.Module {
	return &ir.Module{File: "k.ptx", Kernels: []*ir.Kernel{{Name: "k", ParamBytes: 64}},
		Vars: []ir.Var{{Name: "table", Space: ir.Const, Size: 32, Address: 64},
			{Name: "glob", Space: ir.Global, Size: 64, Address: 0x110000040}}}
}

// Listing returns a listing for an architecture with the function k of the given instructions. The first is on line
// 23. Bank 2 has the word 0x3f800000 (1.0) at 8.
func Listing(arch int, insts ...string) string {
	var b strings.Builder
	params := map[bool]int{true: 0x140, false: 0x160}[arch < 70]
	if arch >= 90 {
		params = 0x210
	}
	fmt.Fprintf(&b, ".headerflags\t@\"EF_CUDA_SM%d EF_CUDA_VIRTUAL_SM(EF_CUDA_SM52)\"\n"+
		".section\t.nv.info.k,\"\"\n//----- nvinfo : EIATTR_PARAM_CBANK\n.word\tindex@(.nv.constant0.k)\n"+
		".short\t%#04x\n.short\t0x0040\n.section\t.nv.info,\"\"\n//----- nvinfo : EIATTR_MIN_STACK_SIZE\n"+
		".word\tindex@(k)\n.word\t0x00000030\n"+
		".section\t.nv.constant3,\"a\"\ntable:\n.nv.constant3:\n.zero\t32\n.L_1:\n"+
		".section\t.nv.constant2.k,\"a\"\n/*0000*/ \t.byte\t8, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0\n"+
		".section\t.text.k,\"ax\"\n.sectioninfo\t@\"SHI_REGISTERS=100\"\nk:\n.L_0:\n$callee:\n", arch, params)
	for i, in := range insts {
		address := listing.CodeBytes * i
		if arch < 70 {
			address = ir.BundledAddress(i)
		}
		fmt.Fprintf(&b, "/*%04x*/ %s ;\n", address, in)
	}
	return b.String()
}

// Kernel makes the kernel k of a listing.
func Kernel(f *rules.Family, text string) (*ir.Kernel, error) {
	l, err := listing.Read("k.sass", text)
	if err != nil {
		return nil, err
	}
	return f.Kernel(l, "k", Module())
}

// Meaning returns an instruction in words: what ir prints, and what it leaves out.
func Meaning(in *ir.Inst) string {
	s := in.String()
	m := in.Mods
	for _, f := range []struct {
		on   bool
		name string
	}{{in.Uniform, "uniform"}, {m.Ftz, "ftz"}, {m.Sat, "sat"}, {m.Left, "left"}, {m.Wrap, "wrap"},
		{m.CarryIn, "carry in"}, {m.CarryOut, "carry out"}, {m.Turns, "turns"}, {m.ShiftAmt, "shift amount"},
		{m.Ordered, "ordered"}, {in.Flow == ir.FlowAddress, "address"}, {in.Flow == ir.FlowEnter, "enter"},
		{in.Flow == ir.FlowConverged, "converged"}, {in.Flow == ir.FlowApart, "apart"}, {m.Exclusive, "exclusive"}} {
		if f.on {
			s += " " + f.name
		}
	}
	if in.Op == ir.OpPrmt && m.Prmt != ir.PrmtIndex {
		s += " " + [...]string{"", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}[m.Prmt]
	}
	if in.Op == ir.OpVideo {
		s += fmt.Sprintf(" video %#x", m.Video)
	}
	if in.Op == ir.OpQuerySpace {
		s += " " + in.Space.String()
	}
	if m.Round != ir.RoundDefault {
		s += " " + [...]string{"", "rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"}[m.Round]
	}
	if in.Op == ir.OpBar && m.Bar != ir.BarSync {
		s += " " + [...]string{"", "arrive", "popc", "and", "or"}[m.Bar]
	}
	return s
}

// Check compares the forms in a file, each with its meaning behind =>, with those that a family gives them. The file
// has at least so many.
func Check(t *testing.T, f *rules.Family, arch int, file string, least int) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		form, want, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " => ")
		if !ok {
			t.Fatalf("%q has no meaning", line)
		}
		n++
		k, err := Kernel(f, Listing(arch, form, "EXIT"))
		if err != nil {
			t.Error(err)
			continue
		}
		if got := Meaning(&k.Insts[0]); got != want {
			t.Errorf("%s\n is %s\nwant %s", form, got, want)
		}
	}
	if n < least {
		t.Errorf("only %d forms", n)
	}
}

// Refused checks that instructions are refused with an error that contains a text.
func Refused(t *testing.T, f *rules.Family, arch int, cases [][2]string) {
	t.Helper()
	for _, c := range cases {
		_, err := Kernel(f, Listing(arch, c[0], "EXIT"))
		if err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v, want %q", c[0], err, c[1])
		}
	}
}
