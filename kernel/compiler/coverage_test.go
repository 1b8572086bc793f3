package compiler

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
	"kumiko/kernel/texture"
)

// coverageRow is a line of testdata/coverage.csv (its README.md has the source).
type coverageRow struct{ arch, kind, item string }

func coverageRows(t *testing.T) []coverageRow {
	t.Helper()
	f, err := os.Open("testdata/coverage.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []coverageRow
	for _, r := range rows[1:] {
		out = append(out, coverageRow{r[0], r[1], r[2]})
	}
	return out
}

// TestWhatPublicKernelsUseIsExecuted makes a kernel for every row of the list,
// with the instruction or form in it, and runs it as written and compiled.
func TestWhatPublicKernelsUseIsExecuted(t *testing.T) {
	rows := coverageRows(t)
	if len(rows) < 800 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		s, ok := snippetOf(r)
		if !ok {
			t.Errorf("%s %s: no instance of it", r.kind, r.item)
			continue
		}
		src := s.source(r.arch)
		if want := s.mention; !strings.Contains(src, want) {
			t.Errorf("%s %s: the instance does not have %q\n%s", r.kind, r.item, want, src)
		}
		if err := executeSnippet(src); err != nil {
			t.Errorf("%s %s %s: %v\n%s", r.arch, r.kind, r.item, err, s.body)
		}
	}
}

// executeSnippet runs the kernel k of a source as written and compiled, and compares the resulting memory.
func executeSnippet(src string) error {
	u, err := ptx.Parse("row.ptx", []byte(src))
	if err != nil {
		return err
	}
	var left []string
	for _, compiled := range []bool{false, true} {
		var dev mem.Memory
		if err := dev.LoadModule(u); err != nil {
			return err
		}
		buf := dev.Alloc("buf", 1<<12)
		data, _ := dev.Bytes(buf, 1<<12)
		fill(data[:1<<11], 7)
		handle, err := bindAll(&dev, u)
		if err != nil {
			return err
		}
		r := &emu.Runner{Mem: &dev, Out: io.Discard}
		if compiled {
			r.Compile = func(l *host.Launch) (*ir.Kernel,
				error) {
				return Compile(l.Module.Kernel(l.Kernel), Options{})
			}
		}
		l := &host.Launch{Module: u, Kernel: "k", Grid: [3]int{1, 1, 1}, Block: [3]int{32, 1, 1},
			Args: []host.Arg{host.U64(buf), host.U64(handle), {Bytes: data[:64], Align: 16}}}
		ran := emu.Stats{}
		r.Done = func(_ *host.Launch, s emu.Stats) { ran = s }
		if err := r.Launch(l); err != nil {
			return fmt.Errorf("compiled %v: %w", compiled, err)
		}
		if ran.WarpInsts == 0 {
			return fmt.Errorf("compiled %v: nothing was executed", compiled)
		}
		left = append(left, string(data))
	}
	if left[0] != left[1] {
		return fmt.Errorf("compiled, it leaves other memory")
	}
	return nil
}

// bindAll binds the texture references of a module, named after their textures, and makes a texture object of
// floats.
func bindAll(dev *mem.Memory, u *ir.Module) (uint64, error) {
	texels := dev.Alloc("texels", 4*64)
	data, _ := dev.Bytes(texels, 4*64)
	fill(data, 3)
	flat := texture.Texture{Addr: texels, Type: ir.F32, Channels: 1, Width: 8}
	for _, name := range u.Textures {
		x := flat
		switch {
		case strings.Contains(name, "u32"):
			x.Type = ir.U32
		case strings.Contains(name, "s32"):
			x.Type = ir.S32
		}
		switch {
		case strings.HasPrefix(name, "tcube"):
			x.Width, x.Height, x.Layers = 2, 2, 6
		case strings.HasPrefix(name, "ta2d"):
			x.Width, x.Height, x.Layers = 4, 4, 2
		case strings.HasPrefix(name, "t3d"):
			x.Width, x.Height, x.Depth = 4, 4, 2
		case strings.HasPrefix(name, "t2d"):
			x.Height = 8
		}
		if err := dev.BindTexture(u, name, x); err != nil {
			return 0, err
		}
	}
	return dev.NewTexture(flat)
}
