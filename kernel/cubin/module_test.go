package cubin

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/cubin/packed"
	"kumiko/kernel/cubin/tools"
	"kumiko/kernel/ir"
)

const oneKernel = ".code sm_75\n.section .text.k\n.registers 8\n.parameters 0x160 0x24\n.parameter 0x0 0x8\n" +
	".parameter 0x8 0x4\n.parameter 0xc 0xc\n.parameter 0x18 0xc\n--:-:-:-:1 EXIT ;\n"

func TestAListingIsAModuleOfItsKernels(t *testing.T) {
	m, err := ReadModule("k.sass", []byte(oneKernel))
	if err != nil {
		t.Fatal(err)
	}
	want := []ir.ParamDecl{{Name: "parameter 0", Type: ir.B64, Count: 1, Size: 8, Align: 8},
		{Name: "parameter 1", Type: ir.B32, Count: 1, Offset: 8, Size: 4, Align: 4},
		{Name: "parameter 2", Type: ir.B8, Count: 12, Array: true, Offset: 12, Size: 12, Align: 4},
		{Name: "parameter 3", Type: ir.B8, Count: 12, Array: true, Offset: 24, Size: 12, Align: 4}}
	if d := cmp.Diff(want, m.Kernel("k").Params); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	c, err := Compile(Request{Arch: 75, Module: m, Kernel: "k"})
	if err != nil || len(c.Insts) != 1 || c.File.Assembler != "the file k.sass" {
		t.Errorf("%+v, %v", c, err)
	}
}

// The files of the faults are listings that were cut, code that is not understood, and files of other kinds.
func TestAFaultInAFileOfMachineCodeIsNamed(t *testing.T) {
	elf := func(machine byte) string {
		return "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 11) + string([]byte{machine})
	}
	for _, c := range []struct{ text, want string }{
		{"", "k.sass: no .headerflags with an architecture"},
		{elf('>') + strings.Repeat("\x00", 64), "k.sass: an ELF file of another machine, expected a cubin"},
		{elf(190), "k.sass: an ELF file of another machine, expected a cubin"},
		{strings.Replace(oneKernel, "75", "35", 1), "k.sass: machine code of sm_35 is not supported"},
		{strings.Replace(oneKernel, ".parameter 0x8 0x4\n", "", 1), ""},
		{strings.Replace(oneKernel, ".parameter 0x8", ".parameter 0x7", 1), "k.sass:2: parameter 1 of kernel k has 4 "},
		{strings.Replace(oneKernel, ".parameter 0x18 0xc\n", "", 1),
			"k.sass:2: kernel k has 36 bytes of parameters, and those that are listed 24"},
		{strings.Replace(oneKernel, ".section", ".constant table 0x0 0x4\n.section", 1),
			"k.sass: found the variable table"},
	} {
		m, err := ReadModule("k.sass", []byte(c.text))
		if c.want == "" && err == nil && len(m.Kernels) == 1 {
			continue // a gap between two parameters may be there for the second one's alignment
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	m, err := ReadModule("k.sass", []byte(strings.Replace(oneKernel, "EXIT", "FROB", 1)))
	if err != nil || len(m.Kernels) != 0 || len(m.Refused) != 1 ||
		m.Refused[0].Err.Error() != "k.sass:9: FROB: the opcode is not supported" {
		t.Errorf("%+v, %v", m, err)
	}
}

// Every packed listing of a program without constants is a file that runs by itself.
func TestAPackedListingIsAFileOfMachineCode(t *testing.T) {
	for _, p := range packed.Contents().Programs {
		if p.Name != "sgemm" && p.Name != "hotspot" {
			continue
		}
		for _, v := range p.Code {
			text, err := packed.Find(packed.Key{PTX: p.PTX, Arch: v.Arch, Registers: v.Registers})
			if err != nil {
				t.Fatal(err)
			}
			m, err := ReadModule(p.Name+".sass", []byte(text))
			if err != nil || len(m.Kernels) == 0 || len(m.Refused) > 0 || m.Source.Arch != v.Arch {
				t.Errorf("%s %s: %v", p.Name, v, err)
			}
		}
	}
}

func TestACubinIsTheModuleOfItsListing(t *testing.T) {
	if _, err := tools.Find(); err != nil {
		t.Skip(err)
	}
	ptxas := "ptxas"
	if p := os.Getenv("PTXAS"); p != "" {
		ptxas = p
	}
	file := filepath.Join(t.TempDir(), "k.cubin")
	out, err := exec.Command(ptxas, "-arch=sm_52", "../../benchmarks/sgemm/kernel.ptx", "-o", file).CombinedOutput()
	if err != nil {
		t.Skipf("%v: %s", err, out) // it is in CUDA_HOME
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if arch, err := Architecture(file, data); err != nil || arch != 52 {
		t.Errorf("sm_%d, %v", arch, err)
	}
	m, err := ReadModule(file, data)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Compile(Request{Arch: 52, Module: m, Kernel: "sgemm"})
	if err != nil || len(c.Insts) != 378 || len(c.Params) != 9 {
		t.Errorf("%+v, %v", c, err)
	}
}

func FuzzReadModule(f *testing.F) {
	f.Add([]byte(oneKernel))
	f.Add([]byte(".code sm_52\n.section .text.k\n.registers 9\n.shared 8\n.L_0:\n" +
		"--:-:-:-:0 @!P0 IADD R0.CC, R1, -0x1 ;\n01:-:2:Y:d BRA `(.L_0) ;\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 0 && data[0] == 0x7f {
			return // what the disassembler does with a cubin is NVIDIA's
		}
		m, err := ReadModule("k.sass", data)
		if err == nil && len(m.Kernels)+len(m.Refused) == 0 {
			t.Error("no error and no kernel")
		}
	})
}
