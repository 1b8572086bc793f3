package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A finding is a fault of a kernel on a design.
type finding struct {
	p      *program
	design *design // nil: without timing
	err    error
	after  bool // it comes on a machine behind other kernels, and not on a new one
}

func (f *finding) String() string {
	if f.design == nil {
		return fmt.Sprintf("seed %d: %v", f.p.seed, f.err)
	}
	if f.after {
		return fmt.Sprintf("seed %d, %s, behind other kernels alone: %v", f.p.seed, f.design, f.err)
	}
	return fmt.Sprintf("seed %d, %s: %v", f.p.seed, f.design, f.err)
}

// report prints a finding, and writes the reduced kernel, the whole one and its launch file.
func (r *runner) report(f *finding) error {
	fmt.Fprintln(r, f)
	if r.out == "" {
		return nil
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	base := filepath.Join(r.out, fmt.Sprint(f.p.seed))
	for name, p := range map[string]*program{".ptx": f.reduced(r.gcc), "-whole.ptx": f.p} {
		if err := os.WriteFile(base+name, []byte(p.text), 0o644); err != nil {
			return err
		}
	}
	if err := os.WriteFile(base+".toml", []byte(f.p.launchFile()), 0o644); err != nil {
		return err
	}
	if f.design != nil {
		fmt.Fprintf(r, "  kumiko run %s.ptx --launch %s.toml --check %s\n", base, base, f.design)
	}
	return nil
}

// launchFile returns the launch of a program as a file.
func (p *program) launchFile() string {
	var words []string
	for i := range tableLen {
		words = append(words, fmt.Sprint(tableWord(i)))
	}
	return fmt.Sprintf(`[[launch]]
kernel = "random"
grid   = [%d]
block  = [%d]
args   = [{buffer = "table"}, {buffer = "out"}]
registers = %d

[buffers.table]
type  = "u32"
count = %d
init  = {kind = "values", data = [%s]}

[buffers.out]
type  = "u32"
count = %d
`, p.grid, p.block, p.registers, tableLen, strings.Join(words, ", "), p.vars*p.grid*p.block)
}
