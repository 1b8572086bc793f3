package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all" // registers the applications
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
)

// unshared matches arrays in dynamic shared memory. The host has to define them.
var unshared = regexp.MustCompile(`DYNSHARED (\w+) (\w+)\[\]`)

// runBuiltin compares the launches of the built-in applications with a kernel.cu, at size test, and reports whether
// any differs. The PTX is compiled anew, without contraction.
func runBuiltin(out io.Writer, t *toolchain, _ settings) (bool, error) {
	equal, differing, left := 0, 0, 0
	for _, a := range benchmarks.List() {
		source := filepath.Join("benchmarks", folder(a.Name), "kernel.cu")
		text, err := os.ReadFile(source)
		switch {
		case err != nil:
			fmt.Fprintf(out, "%s: left out: no kernel.cu\n", a.Name)
			left++
			continue
		case bytes.Contains(text, []byte(`asm("tex`)):
			fmt.Fprintf(out, "%s: left out: textures\n", a.Name)
			left++
			continue
		}
		c, err := t.builtin(a, source, string(text))
		if err != nil {
			return false, fmt.Errorf("%s: %w", a.Name, err)
		}
		fmt.Fprintf(out, "%s: %d launches, %d words, %d differ%s\n", a.Name, c.launches, c.words, c.differ, c.first)
		if c.differ > 0 {
			differing++
		} else {
			equal++
		}
	}
	fmt.Fprintf(out, "%d applications are equal, %d differ, %d were left out\n", equal, differing, left)
	return differing > 0, nil
}

// folder returns the folder of an application's sources. A variant, named after a period, shares its application's
// sources.
func folder(name string) string {
	name, _, _ = strings.Cut(name, ".")
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}

// included matches the inclusion of an application's own headers.
var included = regexp.MustCompile(`(?m)^#include "(.*)"$`)

// withHeaders replaces the inclusions of the application's own headers by their text. The host has a cuda.h of its
// own.
func withHeaders(source, text string) (string, error) {
	var failed error
	out := included.ReplaceAllStringFunc(text, func(line string) string {
		name := included.FindStringSubmatch(line)[1]
		if name == "cuda.h" {
			return line
		}
		header, err := os.ReadFile(filepath.Join(filepath.Dir(source), filepath.Base(name)))
		if err != nil && failed == nil {
			failed = err
		}
		return string(header)
	})
	return out, failed
}

// builtin compiles an application for both sides and runs it.
func (t *toolchain) builtin(a *benchmarks.App, source, text string) (*comparer, error) {
	root, err := filepath.Abs(".")
	if err != nil {
		return nil, err
	}
	f := flavour{device: []string{"--cuda-gpu-arch=sm_52", "--cuda-feature=+ptx63", "-O2", "-fcuda-short-ptr", "-mllvm",
		"--nvptx-short-ptr", "-I" + filepath.Join(root, "benchmarks")}, host: []string{"-O1"}}
	asm, err := t.toPTX(filepath.Join(root, source), f)
	if err != nil {
		return nil, err
	}
	m, err := ptx.Parse(strings.TrimSuffix(source, ".cu")+".ptx", asm)
	if err != nil {
		return nil, err
	}
	if text, err = withHeaders(source, text); err != nil {
		return nil, err
	}
	c := &comparer{module: m}
	var b strings.Builder
	// Lanes of dct8x8 rely on running in step. Only a compiler barrier in the source shows it.
	b.WriteString(strings.ReplaceAll(text, `asm volatile("" ::: "memory");`, "rt_warp(rt_vote, ~0u, 0, 0, 0);"))
	for _, s := range unshared.FindAllStringSubmatch(text, -1) {
		fmt.Fprintf(&b, "\n%s %s[(48 << 10) / sizeof(%s)];", s[1], s[2], s[1])
	}
	for _, k := range m.Kernels {
		fmt.Fprintf(&b, "\nstatic rt::Entry entry_%s{\"%s\", rt::invoke<%s>};", k.Name, k.Name, k.Name)
	}
	for _, v := range m.Vars {
		if v.Space == ir.Const && strings.Contains(text, "CONSTANT") {
			c.symbols = append(c.symbols, v.Name)
			fmt.Fprintf(&b, "\nstatic rt::Symbol symbol_%s{\"%s\", (void *)&%s, sizeof %s};", v.Name, v.Name,
				v.Name, v.Name)
		}
	}
	name, err := t.writeSource(b.String())
	if err != nil {
		return nil, err
	}
	if c.program, err = t.toHost(name, f); err != nil {
		return nil, err
	}
	p, err := a.New(benchmarks.Test)
	if err != nil {
		return nil, err
	}
	c.dev = &host.Device{Mem: &mem.Memory{}}
	c.dev.Runner = c
	var wrong *host.CheckError // the check may expect results of contraction
	if err := p.Run(c.dev); err != nil && !errors.As(err, &wrong) {
		return nil, err
	}
	return c, nil
}

// A comparer is a host.Runner that runs each launch on both sides.
type comparer struct {
	dev     *host.Device
	module  *ir.Module
	program string
	symbols []string
	// launches and words are the numbers of compared launches and 32-bit words. differ is the number of different
	// words.
	launches, words, differ int
	first                   string
}

// Launch implements host.Runner. The application receives the emulator's results.
func (c *comparer) Launch(l *host.Launch) error {
	for _, s := range c.symbols {
		from, err := c.dev.Mem.Symbol(l.Module, s)
		if err != nil {
			return err
		}
		to, err := c.dev.Mem.Symbol(c.module, s)
		if err != nil {
			return err
		}
		copy(to, from)
	}
	own := *l
	own.Module = c.module
	j := &job{launch: &own, mem: c.dev.Mem, symbols: c.symbols}
	want, err := onHost(c.program, []*job{j})
	if err != nil {
		return err
	}
	if err := emulate(j, way{"compiled", compiled(standard)}); err != nil {
		return err
	}
	c.launches++
	for i, r := range j.regions() {
		for at := 0; at+4 <= len(r.Data); at += 4 {
			c.words++
			w, g := number(want[0][i][at:at+4]), number(r.Data[at:at+4])
			if w == g || sameNaN32(w, g) {
				continue
			}
			if c.differ++; c.differ == 1 {
				c.first = fmt.Sprintf("; first: launch %d, %s, byte %d of %s: host %#x, emulator %#x", c.launches,
					l.Kernel,
					at, r.Name, w, g)
			}
		}
	}
	return nil
}
