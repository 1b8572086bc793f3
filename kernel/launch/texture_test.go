package launch_test

import (
	"os"
	"path/filepath"
	"testing"

	"kumiko/kernel/compiler"
	"kumiko/kernel/compiler/alloc"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/launch"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
	"kumiko/kernel/stream"
)

func textured(t *testing.T) (*ir.Module, *launch.Program) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", "texture", "sample.ptx"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := ptx.Parse("sample.ptx", src)
	if err != nil {
		t.Fatal(err)
	}
	p, err := launch.Load(filepath.Join("testdata", "texture", "launch.toml"), m)
	if err != nil {
		t.Fatal(err)
	}
	return m, p
}

// The program fetches from a texture reference by name, from one by its handle and from a texture object. The
// launch file expects the values worked out in its comment.
func TestTexturesOfALaunchFileAreSampled(t *testing.T) {
	for name, opt := range map[string]*compiler.Options{"as parsed": nil, "as compiled": {},
		"spilled":          {Registers: alloc.MinRegisters},
		"without any pass": {Off: compiler.AllSteps()}} {
		t.Run(name, func(t *testing.T) {
			_, p := textured(t)
			r := &emu.Runner{Mem: &mem.Memory{}}
			if opt != nil {
				r.Compile = func(l *host.Launch) (*ir.Kernel,
					error) {
					return compiler.Compile(l.Module.Kernel(l.Kernel), *opt)
				}
			}
			if err := p.Run(&host.Device{Mem: r.Mem, Runner: r}); err != nil {
				t.Error(err)
			}
		})
	}
}

// streaming hands the launches on as streams.
type streaming struct {
	emu.Runner
	ctas []*stream.CTA
}

func (s *streaming) Launch(l *host.Launch) error {
	e, err := s.Prepare(l)
	if err != nil {
		return err
	}
	src := emu.NewSource(e, 1)
	defer src.Close()
	for c := src.Next(); c != nil; c = src.Next() {
		s.ctas = append(s.ctas, c)
	}
	return src.Err()
}

func TestTheStreamHasTheAddressesOfTheBaseTexels(t *testing.T) {
	_, p := textured(t)
	s := &streaming{}
	s.Mem = &mem.Memory{}
	s.Compile = func(l *host.Launch) (*ir.Kernel, error) {
		return compiler.Compile(l.Module.Kernel(l.Kernel), compiler.Options{})
	}
	if err := p.Run(&host.Device{Mem: s.Mem, Runner: s}); err != nil {
		t.Fatal(err)
	}
	addr := map[string]uint64{}
	for _, r := range s.Mem.Regions() {
		addr[r.Name] = r.Addr
	}
	want := map[ir.Tex]func(lane int) uint64{
		ir.Tex2D:  func(l int) uint64 { return addr["pixels"] + uint64(4*(12+(2+l)/4)) }, // row 1, floor(1 + l/4 - 0.5)
		ir.TexA2D: func(l int) uint64 { return addr["layers"] + uint64(4*min(l&3, 2)+1) },
		ir.Tex1D:  func(l int) uint64 { return addr["words"] + uint64(4*min(l, 4)) },
	}
	var c stream.Cursor
	var d stream.Dyn
	c.Start(s.ctas[0].Kernel, &s.ctas[0].Warps[0])
	seen := 0
	for c.Next(&d) {
		if d.Inst.Op != ir.OpTex {
			continue
		}
		seen++
		var got [32]uint64
		d.Access.Lanes(d.Exec, &got)
		for l, a := range got {
			if w := want[d.Inst.Mods.Tex](l); a != w || d.Access.Space != ir.Texture {
				t.Errorf("%s, lane %d: %#x in %s space, want %#x", d.Inst, l, a, d.Access.Space, w)
				break
			}
		}
	}
	if seen != 3 {
		t.Errorf("%d fetches, want 3", seen)
	}
}
