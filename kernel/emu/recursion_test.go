package emu

import (
	"strings"
	"testing"

	"kumiko/kernel/compiler"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// recursive runs functions and a kernel k, whose body has the thread's index in %r0 and leaves its result in %r1:
// once as parsed, and once as compiled for few registers.
func recursive(t *testing.T, funcs, body string, limits Limits) ([]uint32, error) {
	t.Helper()
	m := parseText(t, ".version 7.3\n.target sm_52\n.address_size 64\n"+funcs+`
.entry k(.param .u64 p) {
.reg .b32 %r<20>; .reg .b64 %d<12>; .reg .pred %p<4>;
mov.u32 %r0, %tid.x;
`+body+`
ld.param.u64 %d2, [p]; mul.wide.u32 %d3, %r0, 4; add.u64 %d2, %d2, %d3; st.global.u32 [%d2], %r1; ret; }
`)
	var all [][]uint32
	cfg.Build(m.Kernels[0].Insts).SetReconv(m.Kernels[0].Insts)
	for _, compile := range []func(*host.Launch) (*ir.Kernel, error){nil, func(*host.Launch) (*ir.Kernel, error) {
		return compiler.Compile(m.Kernels[0], compiler.Options{Registers: 20})
	}} {
		var dev mem.Memory
		if err := dev.LoadModule(m); err != nil {
			t.Fatal(err)
		}
		out := dev.Alloc("out", 4*40)
		r := Runner{Mem: &dev, Compile: compile, Limits: limits}
		if err := r.Launch(textLaunch(m, 1, 40, out)); err != nil {
			return nil, err
		}
		all = append(all, words(t, &dev, out, 40))
	}
	for i := range all[0] {
		if all[0][i] != all[1][i] {
			t.Fatalf("thread %d: %d as parsed, %d as compiled", i, all[0][i], all[1][i])
		}
	}
	return all[0], nil
}

func wantRecursive(t *testing.T, funcs, body string, want func(i uint32) uint32) {
	t.Helper()
	got, err := recursive(t, funcs, body, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	wantEach(t, got, func(i int) uint32 { return want(uint32(i)) })
}

const fibonacci = `.func (.param .b32 o) fib(.param .b32 n) {
.reg .b32 %r<8>; .reg .pred %p;
ld.param.u32 %r1, [n]; setp.lt.u32 %p, %r1, 2; @%p bra SMALL;
{ .param .b32 a; .param .b32 b; sub.u32 %r2, %r1, 1; st.param.b32 [a], %r2; call.uni (b), fib, (a); ld.param.b32 %r3, [b]; }
{ .param .b32 a; .param .b32 b; ld.param.u32 %r4, [n]; sub.u32 %r4, %r4, 2; st.param.b32 [a], %r4; call.uni (b), fib, (a);
ld.param.b32 %r5, [b]; }
add.u32 %r1, %r3, %r5;
SMALL: st.param.b32 [o], %r1; ret; }
`

func fib(n uint32) uint32 {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func TestAFunctionMayCallItselfWithLanesAtDifferentDepths(t *testing.T) {
	wantRecursive(t, fibonacci, `{ .param .b32 a; .param .b32 b; rem.u32 %r2, %r0, 9; st.param.b32 [a], %r2; call.uni (b), fib, (a);
ld.param.b32 %r1, [b]; }`, func(i uint32) uint32 { return fib(i % 9) })
}

func TestFunctionsMayCallEachOther(t *testing.T) {
	// even and odd count down in turns; odd is inlined into even.
	const funcs = `.func (.reg .u32 o) odd(.reg .u32 n);
.func (.reg .u32 o) even(.reg .u32 n) { .reg .pred p; .reg .u32 m; setp.eq.u32 p, n, 0; mov.u32 o, 1; @p ret; sub.u32 m, n, 1;
call (o), odd, (m); ret; }
.func (.reg .u32 o) odd(.reg .u32 n) { .reg .pred p; .reg .u32 m; mov.u32 o, 0; setp.eq.u32 p, n, 0; @p ret; sub.u32 m, n, 1;
call (o), even, (m); ret; }
`
	wantRecursive(t, funcs, "call (%r2), odd, (%r0); call (%r3), even, (%r0); mad.lo.u32 %r1, %r2, 2, %r3;",
		func(i uint32) uint32 { return i%2*2 + 1 - i%2 })
}

func TestAFunctionMayCallItselfThroughItsAddress(t *testing.T) {
	const funcs = `.func (.reg .u32 o) down(.reg .u32 n);
.global .u64 table[1] = { down };
.func (.reg .u32 o) down(.reg .u32 n) { .reg .pred p; .reg .u32 m; .reg .u64 f; mov.u32 o, 7; setp.eq.u32 p, n, 0; @p ret;
sub.u32 m, n, 1; ld.global.u64 f, [table]; P: .callprototype (.reg .u32 _) _ (.reg .u32 _);
call (o), f, (m), P; add.u32 o, o, n; ret; }
`
	wantRecursive(t, funcs, "call (%r1), down, (%r0);", func(i uint32) uint32 { return i*(i+1)/2 + 7 })
}

// A recursive function swaps its own parameters, and predicates and 64-bit values live
// across its call.
func TestWhatIsLiveAcrossARecursiveCallIsKept(t *testing.T) {
	const funcs = `.func (.reg .u32 o) f(.reg .u32 n, .reg .u32 a, .reg .u32 b) {
.reg .pred p, q; .reg .u32 m, s; .reg .u64 w;
mov.u32 o, a; setp.eq.u32 p, n, 0; @p ret; and.b32 m, n, 1; setp.eq.u32 q, m, 1; mul.wide.u32 w, n, 100000; shl.b64 w, w, 8;
sub.u32 m, n, 1; call (s), f, (m, b, a); shr.u64 w, w, 8; cvt.u32.u64 m, w; add.u32 o, s, m; @q add.u32 o, o, b; ret; }
`
	var f func(n, a, b uint32) uint32
	f = func(n, a, b uint32) uint32 {
		if n == 0 {
			return a
		}
		o := f(n-1, b, a) + n*100000
		if n&1 == 1 {
			o += b
		}
		return o
	}
	wantRecursive(t, funcs, "call (%r1), f, (%r0, 5, 11);", func(i uint32) uint32 { return f(i, 5, 11) })
}

// Each call has local variables of its own, and may be given the address of its
// caller's; structures are passed by value through memory.
func TestEveryCallHasItsOwnLocalVariables(t *testing.T) {
	const funcs = `.func sum(.param .b64 to, .param .align 8 .b8 s[8]) {
.reg .pred p; .reg .u32 n, x, y; .reg .u64 d, e; .local .align 8 .b8 mine[16];
ld.param.u32 n, [s]; ld.param.u64 d, [to]; mov.u64 e, mine; cvta.local.u64 e, e; st.local.u32 [mine+12], n; st.u32 [e+8], 0;
setp.eq.u32 p, n, 0; @p bra END;
{ .param .b64 a; .param .align 8 .b8 b[8]; add.u64 e, e, 8; st.param.b64 [a], e; sub.u32 x, n, 1; st.param.b32 [b], x;
st.param.b8 [b+4], x; mov.u64 e, b; st.local.u8 [e+5], x; call.uni sum, (a, b); }
END: ld.local.u32 x, [mine+12]; ld.local.u32 y, [mine+8]; add.u32 x, x, y; st.u32 [d], x; ret; }
`
	wantRecursive(t, funcs, `.local .u32 result; mov.u64 %d1, result; cvta.local.u64 %d1, %d1;
{ .param .b64 a; .param .align 8 .b8 b[8]; st.param.b64 [a], %d1; st.param.b32 [b], %r0; call.uni sum, (a, b); }
ld.local.u32 %r1, [result];`, func(i uint32) uint32 { return i * (i + 1) / 2 })
}

func TestAllocaGivesMemoryThatTheFunctionsEndTakesBack(t *testing.T) {
	// Each of 1000 calls allocates 64 bytes, together more than the stack. The loop of the kernel restores the
	// stack by itself.
	const funcs = `.func (.reg .u32 o) f(.reg .u32 n) { .reg .u64 p, q; alloca.u64 p, 64, 32; and.b64 q, p, 31; cvt.u32.u64 o, q;
st.local.u32 [p+60], n; ld.local.u32 n, [p+60]; add.u32 o, o, n; ret; }
`
	wantRecursive(t, funcs, `mov.u32 %r1, 0; mov.u32 %r2, 0; alloca.u64 %d5, 4; st.local.u32 [%d5], 9;
LOOP: call (%r3), f, (%r2); add.u32 %r1, %r1, %r3; stacksave.u64 %d6; alloca.u64 %d7, %d3; cvt.u64.u32 %d8, %r0;
add.u64 %d8, %d8, 40; alloca.u64 %d7, %d8; st.local.u32 [%d7], 1; stackrestore.u64 %d6;
add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 1000; @%p1 bra LOOP; ld.local.u32 %r3, [%d5]; add.u32 %r1, %r1, %r3;`,
		func(uint32) uint32 { return 999*500 + 9 })
}

func TestAnAllocationThatTheStackHasNoRoomForIsAnError(t *testing.T) {
	for size, want := range map[string]string{
		"mov.u64 %d4, 1000000000": "an allocation of 1000000000 bytes on the stack, expected at most the 16384 that " +
			"are " +
			"left of its 16384 bytes (--max-stack-bytes 16384)",
		"mov.u64 %d4, 0x100000010":                                "an allocation of 4294967312 bytes",
		"mov.u64 %d4, -16":                                        "an allocation of 18446744073709551600 bytes",
		"mov.u64 %d4, 16385":                                      "an allocation of 16385 bytes",
		"alloca.u64 %d5, 1000; mov.u64 %d4, 15377":                "expected at most the 15376 that are left",
		"cvt.u64.u32 %d4, %r0; mul.lo.u64 %d4, %d4, 1000":         "thread (17,0,0): an allocation of 17000 bytes",
		"mov.u64 %d4, 16384; alloca.u64 %d5, %d4; mov.u64 %d4, 1": "the 0 that are left",
	} {
		_, err := recursive(t, "", size+"; alloca.u64 %d5, %d4;", Limits{})
		wantError(t, err, "alloca.u32", want)
	}
	if _, err := recursive(t, "", "mov.u64 %d4, 16384; alloca.u64 %d5, %d4;", Limits{}); err != nil {
		t.Error(err)
	}
}

// The compiler puts the constant in the place of the register.
func TestAConstantSizeOfAnAllocationIsOfAllItsBitsAfterCompiling(t *testing.T) {
	for size, want := range map[string]string{
		"4294967296":           "an allocation of 4294967296 bytes",
		"4294967312":           "an allocation of 4294967312 bytes",
		"-9223372036854775808": "an allocation of 9223372036854775808 bytes",
		"-16":                  "an allocation of 18446744073709551600 bytes",
	} {
		m := parseText(t, ".version 7.3\n.target sm_52\n.address_size 64\n.entry k(.param .u64 p) {\n"+
			".reg .b64 %d<12>; mov.u64 %d5, "+size+"; alloca.u64 %d6, %d5; st.local.u32 [%d6], 7; ret; }\n")
		compile := func(*host.Launch) (*ir.Kernel, error) {
			return compiler.Compile(m.Kernels[0], compiler.Options{Registers: 20})
		}
		var dev mem.Memory
		cfg.Build(m.Kernels[0].Insts).SetReconv(m.Kernels[0].Insts)
		r := Runner{Mem: &dev, Compile: compile}
		wantError(t, r.Launch(textLaunch(m, 1, 40, dev.Alloc("out", 4))), "alloca.u32", want)
	}
}

func TestTheStackIsBoundedByAnOptionThatTheMessageNames(t *testing.T) {
	const endless = `.func f() { .reg .u32 n; call f; add.u32 n, n, 1; ret; }
`
	_, err := recursive(t, endless, "mov.u32 %r1, 0; call f;", Limits{})
	wantError(t, err, "in local space, which has 16384 bytes, 16384 of them for the stack", "--max-stack-bytes 16384")
	if _, err := recursive(t, fibonacci, `{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r0; call.uni (b), fib, (a);
ld.param.b32 %r1, [b]; }`, Limits{StackBytes: 32}); err == nil || !strings.Contains(err.Error(), "--max-stack-bytes 32") {
		t.Errorf("found %v, expected the stack of 32 bytes to be full", err)
	}
}
