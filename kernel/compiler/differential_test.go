package compiler

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"kumiko/kernel/compiler/alloc"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/internal/randptx"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
)

// fermi is an SM of Fermi's size.
var fermi = Room{Registers: 32768, Warps: 48, CTAs: 8, Unit: 4}

const (
	fuzzCTAs    = 2
	fuzzThreads = 64 // whole warps: a shuffle from a lane without a thread is undefined
)

// launchOf returns the launch of the kernel fuzz, as k, with a device for it and the memory that it writes.
func launchOf(m *ir.Module, k *ir.Kernel, seed uint64) (*emu.Runner, *host.Launch, []byte, error) {
	var dev mem.Memory
	if err := dev.LoadModule(m); err != nil {
		return nil, nil, nil, err
	}
	in := dev.Alloc("in", randptx.InBytes)
	out := dev.Alloc("out", randptx.OutBytes*fuzzCTAs*fuzzThreads+64)
	data, _ := dev.Bytes(in, randptx.InBytes)
	fill(data, seed)
	r := &emu.Runner{Mem: &dev, Out: io.Discard, Compile: func(*host.Launch) (*ir.Kernel, error) { return k, nil }}
	l := &host.Launch{Module: m, Kernel: k.Name, Grid: [3]int{fuzzCTAs, 1, 1}, Block: [3]int{fuzzThreads, 1, 1},
		Args: []host.Arg{host.U64(in), host.U64(out), host.U32(uint32(seed) * 77), host.S32(-5), host.F32(1.5),
			host.U64(seed * 0x9e3779b97f4a7c15)}}
	written, err := dev.Bytes(out, randptx.OutBytes*fuzzCTAs*fuzzThreads+64)
	return r, l, written, err
}

// execute runs the kernel fuzz, as k, and returns the resulting memory.
func execute(m *ir.Module, k *ir.Kernel, seed uint64) ([]byte, error) {
	r, l, written, err := launchOf(m, k, seed)
	if err != nil {
		return nil, err
	}
	return written, r.Launch(l)
}

// fill writes small and large integers and all sorts of floating-point numbers.
func fill(data []byte, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 2))
	for i := 0; i < len(data); i += 4 {
		v := r.Uint32()
		switch r.IntN(5) {
		case 0:
			v = math.Float32bits(float32(r.NormFloat64()))
		case 1:
			v >>= r.IntN(32)
		case 2:
			v = -(v >> r.IntN(32))
		case 3:
			v = []uint32{0, 1, 0x7f800000, 0x7fc00000, 0x80000000, 1, 0x3f800000, 0xffffffff}[r.IntN(8)]
		}
		data[i], data[i+1], data[i+2], data[i+3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
	}
}

func parseFuzz(t *testing.T, seed uint64) *ir.Module {
	src := randptx.Program(seed, randptx.Options{Vars: 4 + int(seed%5), Stmts: 30 + int(seed%7)*25, Depth: 3})
	m, err := ptx.Parse("fuzz.ptx", []byte(src))
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, src)
	}
	return m
}

// source returns the kernel as parsed, with reconvergence points for execution.
func source(m *ir.Module) *ir.Kernel {
	k := m.Kernels[0]
	cfg.Build(k.Insts).SetReconv(k.Insts)
	return k
}

func listing(k *ir.Kernel) string {
	var b strings.Builder
	for pc := range k.Insts {
		fmt.Fprintf(&b, "%4d %s\n", pc, k.Insts[pc].String())
	}
	return b.String()
}

// same checks that k compiled with opt produces the memory want.
func same(t *testing.T, m *ir.Module, want []byte, opt Options, seed uint64) {
	t.Helper()
	c, rep, err := CompileReport(m.Kernels[0], opt)
	if err != nil {
		t.Fatalf("seed %d, %+v: %v", seed, opt, err)
	}
	if opt.Registers > 0 && rep.Used > opt.Registers {
		t.Fatalf("seed %d: %d registers used, expected at most %d", seed, rep.Used, opt.Registers)
	}
	got, err := execute(m, c, seed)
	if err != nil {
		t.Fatalf("seed %d, off=%s registers=%d: %v\n%s", seed, opt.Off, opt.Registers, err, listing(c))
	}
	if !bytes.Equal(got, want) {
		at := 0
		for got[at] == want[at] {
			at++
		}
		t.Fatalf("seed %d, off=%s registers=%d policy=%s: memory differs from byte %d (thread %d, offset %d)", seed,
			opt.Off, opt.Registers,
			opt.Policy, at, (at-64)/randptx.OutBytes, (at-64)%randptx.OutBytes)
	}
}

func TestCompiledKernelsLeaveTheSameMemory(t *testing.T) {
	n := uint64(120)
	if s := os.Getenv("KUMIKO_FUZZ_SEEDS"); s != "" {
		n, _ = strconv.ParseUint(s, 10, 64)
	}
	if testing.Short() {
		n = 20
	}
	for seed := range n {
		m := parseFuzz(t, seed)
		want, err := execute(m, source(m), seed)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want = bytes.Clone(want)
		same(t, m, want, Options{}, seed)
		same(t, m, want, Options{Ahead: true, Registers: 24 + int(seed%4)*16}, seed)
		same(t, m, want, Options{Ahead: true, Threads: fuzzThreads, SM: fermi}, seed)
		switch seed % 5 {
		case 0:
			same(t, m, want, Options{Registers: alloc.MinRegisters}, seed)
		case 1:
			same(t, m, want, Options{Policy: alloc.Rotate, FirstUse: true}, seed)
		case 2:
			same(t, m, want, Options{Policy: alloc.LeastConflict, Registers: 24}, seed)
			same(t, m, want, Options{Policy: alloc.Apart, Registers: 64}, seed)
		case 3:
			same(t, m, want, Options{Off: AllSteps(), Predicates: alloc.MinPredicates}, seed)
		default:
			same(t, m, want, Options{Off: Step(seed * 2654435761 >> 7)}, seed)
		}
	}
}
