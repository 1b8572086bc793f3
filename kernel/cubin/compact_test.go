package cubin

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/cubin/tools"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
)

// sameKernels fails if the compact form of a listing makes another kernel than the listing itself.
func sameKernels(t *testing.T, f *File, m *ir.Module) {
	t.Helper()
	g, err := NewFile("compact", f.Listing(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if g.Hash != f.Hash || g.Listing() != f.Listing() {
		t.Errorf("%s: another compact form at the second time", f.read.Name)
	}
	for _, fn := range f.read.Functions {
		want, err := f.Kernel(m, fn.Name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := g.Kernel(m, fn.Name)
		if err != nil {
			t.Fatal(err)
		}
		got.Kernel.File = want.Kernel.File
		for i := range got.Insts {
			got.Insts[i].Line = want.Insts[i].Line
		}
		if d := cmp.Diff(want.Kernel, got.Kernel); d != "" {
			t.Errorf("%s: kernel %s (-listing +compact):\n%s", f.read.Name, fn.Name, d)
		}
	}
}

func parse(t *testing.T, file string) *ir.Module {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ptx.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// sradv2 has minima without a text on sm_90 and leukocyte variables of constant space. The others run without -short:
// lavamd has literals, libor memory of a thread and cfd functions that are called.
func TestTheCompactFormOfWhatTheAssemblerMakesIsTheSameKernels(t *testing.T) {
	at, err := tools.Find()
	if errors.Is(err, tools.ErrAbsent) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"sradv2", "leukocyte", "lavamd", "libor", "cfd"}
	if testing.Short() {
		names = names[:2]
	}
	for _, name := range names {
		m := parse(t, "../../benchmarks/"+name+"/kernel.ptx")
		for _, arch := range []int{52, 70, 90} {
			f, err := Assemble(at, Request{Arch: arch, Module: m})
			if err != nil {
				t.Fatal(err)
			}
			sameKernels(t, f, m)
		}
	}
}

func TestPTXForALaterArchitectureIsAssembledForThisOneWithANote(t *testing.T) {
	at, err := tools.Find()
	if err != nil {
		t.Skip(err)
	}
	m, err := ptx.Parse("later.ptx", []byte(".version 7.5\n.target sm_80\n.address_size 64\n"+
		".visible .entry k() { ret; }\n"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := Assemble(at, Request{Arch: 75, Module: m})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"PTX for sm_80 is assembled for sm_75"}; !slices.Equal(f.Notes, want) {
		t.Errorf("notes %q, want %q", f.Notes, want)
	}
}

// ptxas 11.8 makes this of cvt.f32.f16 of the half 5, for sm_61.
func TestASumOfHalvesThatAreNumbersIsASingle(t *testing.T) {
	if got := math.Float32frombits(stored(t, "HADD2.F32 R0, RZ, 5, 5")); got != 5 {
		t.Errorf("%v, want 5", got)
	}
}

// ptxas 11.8 takes a single for a half with its value, for sm_70 and 75: here 1.
func TestASingleAmongHalvesIsAHalf(t *testing.T) {
	for inst, want := range map[string]uint32{
		"HADD2 R0, R0.F32, 3, 3":         0x44004400,
		"HMUL2 R0, -R0.F32, 1.5, 1.5":    0xbe00be00,
		"HADD2.F32 R0, R0.F32, 3, 3":     math.Float32bits(4),
		"HADD2 R0, -RZ.H0_H0, R0.F32":    0x3c003c00,
		"HFMA2 R0, R0.F32, 2, 2, R0.F32": 0x42004200,
	} {
		if got := stored(t, "MOV32I R0, 0x3f800000", inst); got != want {
			t.Errorf("%s is %#x, want %#x", inst, got, want)
		}
	}
}

// stored returns what instructions for sm_61 leave in R0.
func stored(t *testing.T, insts ...string) uint32 {
	t.Helper()
	text := ""
	for _, in := range append(insts, "MOV R2, c[0x0][0x140]", "MOV R3, c[0x0][0x144]", "STG.E [R2], R0", "EXIT") {
		text += "--:-:-:-:6 " + in + " ;\n"
	}
	m, err := ReadModule("k.sass", []byte(".code sm_61\n.section .text.k\n.registers 9\n.parameters 0x140 0x8\n"+
		".parameter 0x0 0x8\nk:\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	code, err := New(61)
	if err != nil {
		t.Fatal(err)
	}
	memory := &mem.Memory{}
	at := memory.Alloc("result", 4)
	e := &emu.Runner{Mem: memory, Compile: code.Kernel}
	if err := e.Launch(&host.Launch{Module: m, Kernel: "k", Grid: [3]int{1, 1, 1}, Block: [3]int{1, 1, 1},
		Args: []host.Arg{host.U64(at)}}); err != nil {
		t.Fatal(err)
	}
	data, _ := memory.Bytes(at, 4)
	return binary.LittleEndian.Uint32(data)
}
