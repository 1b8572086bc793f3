// Command pack makes the machine code of the built-in programs that the simulator carries (kernel/cubin/packed). It
// needs NVIDIA's ptxas and nvdisasm (package kernel/cubin/tools). With -check it writes nothing and fails if the code
// is not what they make. make packed runs it.
//
//	go run ./tools/pack [-check]
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/kernel/cubin"
	"kumiko/kernel/cubin/packed"
	"kumiko/kernel/cubin/tools"
	"kumiko/kernel/ir"
)

// architectures are those of the GPUs that the simulator has by name.
var architectures = []int{52, 70, 75, 80, 86, 90}

// bounds returns the numbers of registers of a thread for which there is further code of the programs that need more.
// 64 is the limit of design finereg. 63 is the limit of GPUs with compute capability 2.0; ptxas no longer makes code
// for them, so it is made for the oldest architecture only, because each architecture takes 25 kB.
func bounds(arch int) []int {
	if arch == architectures[0] {
		return []int{63, 64}
	}
	return []int{64}
}

// compiler is the one scripts/kernels.sh takes.
const compiler = "clang 19 (scripts/kernels.sh)"

const folder = "kernel/cubin/packed"

func main() {
	check := flag.Bool("check", false, "write nothing, and fail if the packed code is another")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	t, err := tools.Find()
	if err != nil {
		return err
	}
	modules, err := modules()
	if err != nil {
		return err
	}
	texts := map[string]string{}
	x := &packed.Index{Assembler: "ptxas " + t.Version, Disassembler: "nvdisasm " + t.Disassembler, Compiler: compiler}
	for _, m := range modules {
		p, text, err := pack(t, m)
		if err != nil {
			return err
		}
		x.Programs = append(x.Programs, *p)
		texts[p.Name] = text
	}
	if check {
		return compare(x, texts)
	}
	files := map[string][]byte{"index.txt": []byte(x.String())}
	for name, text := range texts {
		if files["code/"+name+".gz"], err = compressed(text); err != nil {
			return err
		}
	}
	return write(files)
}

// modules returns the PTX of the built-in programs, each once.
func modules() (out []*ir.Module, err error) {
	for _, app := range benchmarks.List() {
		p, err := app.New(benchmarks.Test)
		if err != nil {
			return nil, err
		}
		m := p.(interface{ Module() *ir.Module }).Module()
		if !slices.ContainsFunc(out, func(o *ir.Module) bool { return o.File == m.File }) {
			out = append(out, m)
		}
	}
	return out, nil
}

// pack makes the code of a module.
func pack(t *tools.Tools, m *ir.Module) (*packed.Program, string, error) {
	p := &packed.Program{Name: path.Base(path.Dir(m.File)), PTX: sha256.Sum256(m.Source.Text)}
	var text strings.Builder
	add := func(arch, registers int) (most int, err error) {
		f, err := cubin.Assemble(t, cubin.Request{Arch: arch, Module: m, Registers: registers})
		if err != nil {
			return 0, err
		}
		if f.Notes != nil {
			return 0, fmt.Errorf("%s: %s", m.File, f.Notes)
		}
		p.Code = append(p.Code, packed.Variant{Arch: arch, Registers: registers})
		text.WriteString(f.Listing() + packed.End)
		return f.MostRegisters(), nil
	}
	for _, arch := range architectures {
		most, err := add(arch, 0)
		if err != nil {
			return nil, "", err
		}
		for _, bound := range bounds(arch) {
			if most <= bound {
				continue
			}
			if _, err := add(arch, bound); err != nil {
				return nil, "", err
			}
		}
	}
	return p, text.String(), nil
}

func compressed(text string) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write([]byte(text)); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// compare fails if the code that the simulator carries is another. That of gzip may be: it is the text that counts.
func compare(x *packed.Index, texts map[string]string) error {
	if packed.Contents().String() != x.String() {
		return fmt.Errorf("%s/index.txt is another than that of the PTX and of %s: run make packed", folder,
			x.Assembler)
	}
	for _, p := range x.Programs {
		var text strings.Builder
		for _, v := range p.Code {
			one, err := packed.Find(packed.Key{PTX: p.PTX, Arch: v.Arch, Registers: v.Registers})
			if err != nil {
				return err
			}
			text.WriteString(one + packed.End)
		}
		if text.String() != texts[p.Name] {
			return fmt.Errorf("%s/code/%s.gz is not what the PTX assembles to: run make packed", folder, p.Name)
		}
	}
	return nil
}

// write writes the files, and removes those of programs that there are no longer.
func write(files map[string][]byte) error {
	old, err := filepath.Glob(filepath.Join(folder, "code", "*.gz"))
	if err != nil {
		return err
	}
	for _, name := range old {
		if files["code/"+filepath.Base(name)] == nil {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	size := 0
	for name, data := range files {
		size += len(data)
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%d programs, %d bytes\n", len(files)-1, size)
	return nil
}
