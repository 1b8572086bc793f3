package launch

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
)

// module has a kernel add(out*, f32, u32) and one with a structure of 16 bytes.
func module() *ir.Module {
	param := func(name string, t ir.Type, off int) ir.ParamDecl {
		return ir.ParamDecl{Name: name, Type: t, Count: 1, Offset: off, Size: t.Size(), Align: t.Size()}
	}
	return &ir.Module{File: "m.ptx", Kernels: []*ir.Kernel{
		{Name: "add", Params: []ir.ParamDecl{param("out", ir.U64, 0), param("a", ir.F32, 8), param("n", ir.U32, 12)},
			ParamBytes: 16},
		{Name: "pair", Params: []ir.ParamDecl{{Name: "p", Type: ir.B8, Array: true, Count: 16, Size: 16, Align: 8}},
			ParamBytes: 16, ReqThreads: [3]int{64, 1, 1}},
		{Name: "few", MaxThreads: [3]int{32, 1, 1}},
		{Name: "fetch", Textures: []string{"t"}},
	}, Vars: []ir.Var{{Name: "coef", Space: ir.Const, Size: 16, Align: 4, Address: 32, Init: []byte{1}}}}
}

// fake is a device that runs "add" as out[i] += a for i < n and records its launches.
type fake struct {
	mem      *mem.Memory
	launches []host.Launch
}

func (f *fake) Launch(l *host.Launch) error {
	f.launches = append(f.launches, *l)
	if l.Kernel != "add" {
		return nil
	}
	addr := binary.LittleEndian.Uint64(l.Args[0].Bytes)
	n := int(binary.LittleEndian.Uint32(l.Args[2].Bytes))
	a := asFloat(l.Args[1].Bytes)
	d := &host.Device{Mem: f.mem}
	x := host.Read[float32](d, addr, n)
	for i := range x {
		x[i] += a
	}
	host.Write(d, addr, x)
	return nil
}

func device() (*host.Device, *fake) {
	f := &fake{mem: &mem.Memory{}}
	return &host.Device{Mem: f.mem, Runner: f}, f
}

// runOn runs a program on a fake device.
func runOn(t *testing.T, p *Program) *fake {
	t.Helper()
	d, f := device()
	if err := p.Run(d); err != nil {
		t.Fatal(err)
	}
	return f
}

func parse(t *testing.T, text string) *Program {
	t.Helper()
	p, err := Parse("l.toml", []byte(text), module(), Limits{})
	if err != nil {
		t.Fatalf("refused:\n%v", err)
	}
	return p
}

// write makes a file in a folder of the test's own and returns its path.
func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// mustParse returns the module of a text.
func mustParse(t testing.TB, name string, text []byte) *ir.Module {
	t.Helper()
	m, err := ptx.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
