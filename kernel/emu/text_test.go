package emu

import (
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
)

// kernelText parses a kernel named k with the given body and pointer parameters p0, p1, ... The parameters are in
// %rd0, %rd1, ..., and the linear index of the thread in its CTA is in %r0. The body begins at line 10.
func kernelText(t testing.TB, params int, body string) *ir.Module {
	t.Helper()
	var s strings.Builder
	s.WriteString(".version 6.3\n.target sm_52\n.address_size 64\n.visible .entry k(")
	for i := range params {
		if i > 0 {
			s.WriteString(", ")
		}
		s.WriteString(".param .u64 p" + string(rune('0'+i)))
	}
	s.WriteString(")\n{\n.reg .pred %p<16>; .reg .b16 %h<16>; .reg .f32 %f<16>;\n.reg .b32 %r<32>; .reg .b64 " +
		"%rd<16>;\nmov.u32 %r0, %tid.x;\n")
	for i := range params {
		n := string(rune('0' + i))
		s.WriteString("ld.param.u64 %rd" + n + ", [p" + n + "]; ")
	}
	s.WriteString("\n" + body + "\n}\n")
	return parseText(t, s.String())
}

// runText runs a kernel given as text, and returns the launch's error.
func runText(t testing.TB, body string, grid, block int, m *mem.Memory, addrs ...uint64) error {
	t.Helper()
	return runLimited(t, Limits{WarpInsts: 1 << 20}, body, grid, block, m, addrs...)
}

func runLimited(t testing.TB, lim Limits, body string, grid, block int, m *mem.Memory, addrs ...uint64) error {
	t.Helper()
	r := Runner{Mem: m, Limits: lim, Out: io.Discard}
	return r.Launch(textLaunch(kernelText(t, len(addrs), body), grid, block, addrs...))
}

// begin makes a launch ready through a Runner.
func begin(t testing.TB, r Runner, l *host.Launch) *Launch {
	t.Helper()
	e, err := r.Prepare(l)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// mustRun runs a launch that does not fail.
func mustRun(t rapid.TB, r *Runner, l *host.Launch) {
	t.Helper()
	if err := r.Launch(l); err != nil {
		t.Fatal(err)
	}
}

func textLaunch(u *ir.Module, grid, block int, addrs ...uint64) *host.Launch {
	l := launch(grid, block, addrs...)
	l.Module, l.Kernel = u, "k"
	return l
}

// results runs a kernel with one buffer of n words and returns it.
func results(t testing.TB, body string, grid, block, n int) []uint32 {
	t.Helper()
	var m mem.Memory
	a := m.Alloc("out", 4*n)
	if err := runText(t, body, grid, block, &m, a); err != nil {
		t.Fatal(err)
	}
	return words(t, &m, a, n)
}

// storeR5 stores %r5 at the thread's place in the buffer.
const storeR5 = `
	mul.wide.u32 %rd8, %r0, 4;
	add.u64 %rd8, %rd0, %rd8;
	st.global.u32 [%rd8], %r5;
	ret;`

// wantEach compares results with a function of the index.
func wantEach(t *testing.T, got []uint32, want func(i int) uint32) {
	t.Helper()
	for i, v := range got {
		if v != want(i) {
			t.Fatalf("element %d is %#x, want %#x", i, v, want(i))
		}
	}
}

// parseText parses a whole module.
func parseText(t testing.TB, src string) *ir.Module { return parseNamed(t, "test.ptx", src) }

func parseNamed(t testing.TB, name, src string) *ir.Module {
	t.Helper()
	m, err := ptx.Parse(name, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return m
}
