package emu

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

func TestLaunchesThatCannotBeAreRefusedWithEveryReason(t *testing.T) {
	k := &ir.Kernel{Name: "k", SharedBytes: 40000, ParamBytes: 16, Params: []ir.ParamDecl{
		{Name: "n", Type: ir.S32, Count: 1, Size: 4, Align: 4}, {Name: "v", Type: ir.F32, Count: 2, Array: true,
			Offset: 8, Size: 8, Align: 4}}}
	p, err := Prepare(k)
	if err != nil {
		t.Fatal(err)
	}
	good := host.Launch{Grid: [3]int{1, 1, 1}, Block: [3]int{32, 1, 1},
		Args: []host.Arg{host.S32(1), {Bytes: make([]byte, 8), Align: 4}}}
	for _, c := range []struct {
		name   string
		change func(l *host.Launch)
		want   []string
	}{
		{"zero grid", func(l *host.Launch) { l.Grid[1] = 0 }, []string{"kernel k", "grid y is 0, expected 1 to 65535"}},
		{"zero block", func(l *host.Launch) { l.Block[0] = 0 }, []string{"block x is 0, expected 1 to 1024"}},
		{"large block", func(l *host.Launch) { l.Block = [3]int{64, 32, 1} },
			[]string{"2048 threads, expected at most 1024"}},
		{"deep block", func(l *host.Launch) { l.Block[2] = 65 }, []string{"block z is 65, expected 1 to 64"}},
		{"shared", func(l *host.Launch) { l.DynShared = 10000 },
			[]string{"50000 bytes of shared memory (40000 static and 10000 dynamic), expected at most 49152"}},
		{"too few arguments", func(l *host.Launch) { l.Args = l.Args[:1] }, []string{"1 arguments, expected 2"}},
		{"argument sizes", func(l *host.Launch) { l.Args = []host.Arg{host.U64(1), host.U32(1)} },
			[]string{"argument 1 has 8 bytes, expected 4 for parameter n (s32)",
				"argument 2 has 4 bytes, expected 8 for parameter v (f32[2])"}},
		{"two things", func(l *host.Launch) { l.Grid[0] = 0; l.Args = nil }, []string{"grid x is 0", "0 arguments"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := good
			c.change(&l)
			_, err := NewLaunch(p, &mem.Memory{}, &l, Limits{}, nil)
			wantError(t, err, c.want...)
		})
	}
	l, err := NewLaunch(p, &mem.Memory{}, &good, Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := append([]byte{1}, make([]byte, 15)...); !bytes.Equal(l.Params, want) {
		t.Errorf("the parameter block is %v, want %v", l.Params, want)
	}
}

func TestThreadLimitsOfTheKernelHold(t *testing.T) {
	p, err := Prepare(&ir.Kernel{Name: "k", ReqThreads: [3]int{16, 2, 1}, MaxThreads: [3]int{8, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = NewLaunch(p, &mem.Memory{}, &host.Launch{Grid: [3]int{1, 1, 1}, Block: [3]int{32, 1, 1}}, Limits{}, nil)
	wantError(t, err, "block [32 1 1], expected [16 2 1] (.reqntid)", "32 threads, expected at most 8 (.maxntid)")
}

func TestWhatCannotBeExecutedIsListedInFull(t *testing.T) {
	k := &ir.Kernel{Name: "k", File: "f.ptx", NumRegs: 2, NumPreds: 1, Insts: []ir.Inst{
		{Op: ir.NumOps, Line: 3, Col: 1},
		{Op: ir.OpAdd, Type: ir.U32, Dst: []ir.Operand{ir.R(0, 1)}, Src: []ir.Operand{ir.R(5, 1), ir.R(0, 1)}, Line: 4,
			Col: 2},
		{Op: ir.OpMul, Type: ir.B128, Dst: []ir.Operand{ir.R(0, 1)}, Src: []ir.Operand{ir.R(0, 1), ir.R(0, 1)},
			Line: 5},
		{Op: ir.OpExit, Guard: ir.P(3), Line: 6},
		{Op: ir.OpMov, Type: ir.U32, Dst: []ir.Operand{ir.R(0, 1)}, Src: []ir.Operand{ir.R(1, 1)}, Line: 7},
	}}
	_, err := Prepare(k)
	wantError(t, err, "kernel k cannot be executed", "f.ptx:3:1: operation ", ": the operation is not supported",
		"f.ptx:4:2: add.u32: register 5 of 2", "f.ptx:5: mul.b128", "f.ptx:6: exit: predicate 3 of 1")
	if strings.Contains(err.Error(), "f.ptx:7") {
		t.Errorf("a correct instruction is listed: %v", err)
	}
}

func TestParametersOfEverySizeArriveWhole(t *testing.T) {
	src := `.version 6.3
.target sm_52
.address_size 64
.visible .entry k(.param .u64 out, .param .s8 a, .param .u16 b, .param .f64 c, .param .align 8 .b8 d[12])
{
.reg .b16 %h<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
ld.param.u64 %rd0, [out];
ld.param.s8 %r1, [a];
ld.param.u16 %h1, [b];
ld.param.b64 %rd1, [c];
ld.param.v2.u32 {%r2, %r3}, [d];
ld.param.u32 %r4, [d+8];
st.global.u32 [%rd0], %r1;
st.global.u16 [%rd0+4], %h1;
st.global.b64 [%rd0+8], %rd1;
st.global.u32 [%rd0+16], %r2;
st.global.u32 [%rd0+20], %r3;
st.global.u32 [%rd0+24], %r4;
ret;
}`
	var m mem.Memory
	a := m.Alloc("out", 28)
	r := Runner{Mem: &m}
	err := r.Launch(&host.Launch{Module: parseText(t, src), Kernel: "k", Grid: [3]int{1, 1, 1}, Block: [3]int{1, 1, 1},
		Args: []host.Arg{
			host.U64(a), {Bytes: []byte{0xfe}, Align: 1}, {Bytes: []byte{0x34, 0x92}, Align: 2}, host.F64(1.5),
			{Bytes: []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0}, Align: 8}}})
	if err != nil {
		t.Fatal(err)
	}
	want := []uint32{0xfffffffe, 0x9234, 0, 0x3ff80000, 1, 2, 3}
	if diff := cmp.Diff(want, words(t, &m, a, 7)); diff != "" {
		t.Error(diff)
	}
}

func TestPrintfFormatsAsC(t *testing.T) {
	src := `.version 6.3
.target sm_52
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 fmt[41] = {116,61,37,100,32,120,61,37,48,52,120,32,102,61,37,46,50,102,32,115,61,37,115,32,117,61,37,108,108,117,32,99,61,37,99,32,37,37,10,0,0};
.global .align 1 .b8 str[4] = {97,98,99,0};
.visible .entry k()
{
.local .align 8 .b8 buf[48];
.reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f64 %fd<2>;
mov.u64 %rd0, buf;
cvta.local.u64 %rd1, %rd0;
mov.u32 %r0, %tid.x;
neg.s32 %r1, %r0;
st.local.u32 [%rd0], %r1;
st.local.u32 [%rd0+4], 255;
mov.f64 %fd0, 0d3FF8000000000000;
st.local.f64 [%rd0+8], %fd0;
mov.u64 %rd2, str;
st.local.u64 [%rd0+16], %rd2;
mov.u64 %rd4, 12345678901;
st.local.u64 [%rd0+24], %rd4;
st.local.u32 [%rd0+32], 88;
mov.u64 %rd3, fmt;
{
.param .b64 p0; .param .b64 p1; .param .b32 rv;
st.param.b64 [p0], %rd3;
st.param.b64 [p1], %rd1;
call.uni (rv), vprintf, (p0, p1);
}
ret;
}`
	var m mem.Memory
	u := parseText(t, src)
	var out bytes.Buffer
	mustRun(t, &Runner{Mem: &m, Out: &out}, &host.Launch{Module: u, Kernel: "k", Grid: [3]int{1, 1, 1},
		Block: [3]int{3, 1, 1}})
	want := ""
	for _, n := range []string{"0", "-1", "-2"} {
		want += "t=" + n + " x=00ff f=1.50 s=abc u=12345678901 c=X %\n"
	}
	if out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
}

func TestASourceRunsOnlyAsFarAheadAsItMay(t *testing.T) {
	var m mem.Memory
	u := kernelText(t, 1, "atom.global.add.u32 %r1, [%rd0], 1;\nret;")
	a := m.Alloc("a", 4)
	e := begin(t, Runner{Mem: &m}, textLaunch(u, 1000, 1, a))
	s := NewSource(e, 3)
	for i := range 5 {
		if c := s.Next(); c == nil || c.Index != i {
			t.Fatalf("CTA %d is %v", i, c)
		}
	}
	time.Sleep(20 * time.Millisecond) // as far as it gets
	s.Close()
	s.Close()
	if n := words(t, &m, a, 1)[0]; n > 5+4 {
		t.Errorf("%d CTAs were executed when 5 had been fetched, at most 3 ahead", n)
	}
	if c := s.Next(); c != nil || s.Err() != nil {
		t.Errorf("after Close came CTA %v, error %v", c, s.Err())
	}
}

func TestASourceEndsWithItsError(t *testing.T) {
	var m mem.Memory
	u := kernelText(t, 1, `
	mov.u32 %r1, %ctaid.x;
	mul.wide.u32 %rd1, %r1, 4;
	add.u64 %rd1, %rd0, %rd1;
	st.global.u32 [%rd1], %r1;
	ret;`)
	e := begin(t, Runner{Mem: &m}, textLaunch(u, 10, 1, m.Alloc("a", 16)))
	s := NewSource(e, 1)
	n := 0
	for s.Next() != nil {
		n++
	}
	if n != 4 {
		t.Errorf("%d CTAs before the error, want 4", n)
	}
	wantError(t, s.Err(), "test.ptx:14", "CTA (4,0,0)", `16 bytes past the start of "a"`)
	s.Close()
}

func TestClosingASourceStopsALoopWithoutEnd(t *testing.T) {
	var m mem.Memory
	u := kernelText(t, 1, "LOOP:\nadd.u32 %r1, %r1, 1;\nbra LOOP;")
	e := begin(t, Runner{Mem: &m, Limits: Limits{WarpInsts: 1 << 40}}, textLaunch(u, 1, 1, m.Alloc("a", 4)))
	NewSource(e, 1).Close()
}

// A million threads with a bounded look-ahead need little memory, even with a slow consumer.
func TestALargeLaunchKeepsLittleInMemory(t *testing.T) {
	var m mem.Memory
	const ctas = 4096
	u := kernelText(t, 1, `
	mov.u32 %r1, %ctaid.x;
	mad.lo.u32 %r1, %r1, 256, %r0;
	mul.wide.u32 %rd2, %r1, 4;
	add.u64 %rd2, %rd0, %rd2;
	ld.global.u32 %r2, [%rd2];
	add.u32 %r2, %r2, %r1;
	st.global.u32 [%rd2], %r2;
	ret;`)
	e := begin(t, Runner{Mem: &m}, textLaunch(u, ctas, 256, m.Alloc("a", 4*256*ctas)))
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s := NewSource(e, 16)
	n := 0
	for c := s.Next(); c != nil; c = s.Next() {
		if n++; n%1024 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&now)
			if grown := int64(now.HeapAlloc) - int64(before.HeapAlloc); grown > 2<<20 {
				t.Errorf("after %d CTAs %d bytes are held", n, grown)
			}
		}
	}
	if n != ctas || s.Err() != nil {
		t.Errorf("%d CTAs, error %v", n, s.Err())
	}
	k := uint64(len(e.Prog.Kernel().Insts)) // no branches
	if got := s.Stats(); got.WarpInsts != 8*k*ctas || got.ThreadInsts != 256*k*ctas || got.CTAs != ctas {
		t.Errorf("%d warp instructions of %d threads in %d CTAs", got.WarpInsts, got.ThreadInsts, got.CTAs)
	}
}

func TestTwoRunsGiveTheSameStreams(t *testing.T) {
	run := func() any {
		var m mem.Memory
		u := kernelText(t, 1, waitForNext)
		e := begin(t, Runner{Mem: &m}, textLaunch(u, 6, 96, m.Alloc("a", 24)))
		var out []any
		for _, c := range collect(t, e) {
			out = append(out, own(c))
		}
		return out
	}
	if diff := cmp.Diff(run(), run()); diff != "" {
		t.Error(diff)
	}
}

func TestStatsAgreeWithTheStreams(t *testing.T) {
	var m mem.Memory
	u := kernelText(t, 1, waitForNext)
	e := begin(t, Runner{Mem: &m}, textLaunch(u, 6, 50, m.Alloc("a", 24)))
	s := NewSource(e, 2)
	var insts, lanes uint64
	perPC := make([]uint64, len(e.Prog.Kernel().Insts))
	for c := s.Next(); c != nil; c = s.Next() {
		for i := range c.Warps {
			insts += c.Warps[i].Insts
			lanes += c.Warps[i].Lanes
			for _, run := range c.Warps[i].Runs {
				for pc := run.PC; pc < run.PC+run.N; pc++ {
					perPC[pc]++
				}
			}
		}
	}
	got := s.Stats()
	if got.WarpInsts != insts || got.ThreadInsts != lanes {
		t.Errorf("stats say %d and %d, the streams %d and %d", got.WarpInsts, got.ThreadInsts, insts, lanes)
	}
	if diff := cmp.Diff(perPC, got.Executed); diff != "" {
		t.Error(diff)
	}
}
