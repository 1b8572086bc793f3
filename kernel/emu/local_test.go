package emu

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"kumiko/kernel/host"
	"kumiko/kernel/mem"
)

// largestLocal declares as much local memory as a thread can have.
const largestLocal = ".local .align 8 .b8 l[524288]; mov.u64 %rd3, l;\n"

// residentMB returns the resident memory of the process, in MB.
func residentMB(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("no /proc/self/status")
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kb := 0
	if _, err := fmt.Sscan(rest, &kb); err != nil {
		t.Fatal(err)
	}
	return kb >> 10
}

func TestLocalMemoryThatIsNotTouchedTakesNoMemory(t *testing.T) {
	// 3 CTAs of 1024 threads with 512 KiB each, with 4 bytes used per thread: 512 MiB if all of it were touched.
	before := residentMB(t)
	got := results(t, largestLocal+`st.local.u32 [%rd3+262144], %r0; ld.local.u32 %r1, [%rd3+262144]; ld.local.u32 %r2, [%rd3];
	add.u32 %r1, %r1, %r2; mul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd4, %rd0; st.global.u32 [%rd4], %r1; ret;`, 3, 1024, 1024)
	if got[1023] != 1023 {
		t.Errorf("thread 1023 read %d", got[1023])
	}
	if n := residentMB(t) - before; n > 200 {
		t.Errorf("%d MB more are in use", n)
	}
}

func TestEveryCTAFindsItsLocalMemoryZero(t *testing.T) {
	// Each CTA adds up 16 words of its local memory, at both ends of it and
	// between, before and after it stores to them in several ways.
	const sum = "ld.local.u32 %r2, [%rd3+OFF]; add.u32 %r1, %r1, %r2;\n"
	for _, c := range []struct{ name, store, offset string }{
		{"a store to the first word", "st.local.u32 [%rd3], 1;", "0"},
		{"a store to the last word", "st.local.u32 [%rd3+524284], 1;", "524284"},
		{"a store of four words", "st.local.v4.u32 [%rd3+1024], {1, 2, 3, 4};", "1036"},
		{"a generic store", "cvta.local.u64 %rd4, %rd3; st.u32 [%rd4+64], 1;", "64"},
		{"a generic atomic operation", "cvta.local.u64 %rd4, %rd3; atom.add.u32 %r3, [%rd4+128], 1;", "128"},
		{"stores to different places",
			"mul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd4, %rd3; st.local.u32 [%rd4+4096], 1;", "4220"},
		{"a store of one lane", "setp.eq.u32 %p1, %r0, 31; @%p1 st.local.u32 [%rd3+8], 1;", "8"},
	} {
		body := largestLocal + "mov.u32 %r1, 0;\n" + strings.ReplaceAll(sum, "OFF", c.offset) + c.store + `
	mov.u32 %r4, %ctaid.x; mad.lo.u32 %r4, %r4, 32, %r0; mul.wide.u32 %rd5, %r4, 4; add.u64 %rd5, %rd5, %rd0; st.global.u32 [%rd5], %r1; ret;`
		for i, v := range results(t, body, 4, 32, 128) {
			if v != 0 {
				t.Errorf("%s: CTA %d, thread %d finds %d", c.name, i/32, i%32, v)
				break
			}
		}
	}
}

func TestCTAsThatWaitForEachOtherAreBoundedByTheirMemory(t *testing.T) {
	var m mem.Memory
	// Every CTA waits until 20 have begun; 17 MiB hold one warp's local memory only.
	u := kernelText(t, 1, largestLocal+`st.local.u32 [%rd3], 1; atom.global.add.u32 %r1, [%rd0], 1;
WAIT: ld.volatile.global.u32 %r1, [%rd0]; setp.lt.u32 %p1, %r1, 20; @%p1 bra WAIT; ret;`)
	run := func(lim Limits) error {
		r := Runner{Mem: &m, Limits: lim}
		return r.Launch(&host.Launch{Module: u, Kernel: "k", Grid: [3]int{20, 1, 1}, Block: [3]int{1, 1, 1},
			Args: []host.Arg{host.U64(m.Alloc("a", 4))}})
	}
	if err := run(Limits{}); err != nil {
		t.Errorf("with the default limits: %v", err)
	}
	wantError(t, run(Limits{ResidentBytes: 35 << 20}),
		"2 CTAs are resident, as many as 36700160 bytes of registers and memory hold (--max-resident-bytes 36700160), "+
			"and 18 have not begun")
	wantError(t, run(Limits{ResidentCTAs: 3}), "3 CTAs are resident, the limit (--max-resident-ctas 3), and 17")
}

// A function and its caller see one variable, each thread its own.
func TestALocalVariableOfModuleScopeIsOnePerThread(t *testing.T) {
	m := parseText(t, `.version 6.3
.target sm_52
.address_size 64
.local .align 8 .b8 unused[64];
.local .align 4 .u32 count[2];
.func bump() { .reg .b32 %r<2>; .local .b32 own; ld.local.u32 %r1, [count+4]; add.u32 %r1, %r1, 3;
st.local.u32 [own], 77; st.local.u32 [count+4], %r1; ret; }
.entry k(.param .u64 p) {
.reg .b32 %r<3>; .reg .b64 %d<4>; .local .b32 mine;
mov.u32 %r0, %tid.x; st.local.u32 [mine], 9; mov.u64 %d1, count; st.local.u32 [%d1+4], %r0;
call bump; call bump; ld.local.u32 %r1, [count+4]; ld.local.u32 %r2, [mine]; add.u32 %r1, %r1, %r2;
ld.param.u64 %d2, [p]; mul.wide.u32 %d3, %r0, 4; add.u64 %d2, %d2, %d3; st.global.u32 [%d2], %r1; ret; }
`)
	var dev mem.Memory
	out := dev.Alloc("out", 4*40)
	if err := (&Runner{Mem: &dev}).Launch(textLaunch(m, 1, 40, out)); err != nil {
		t.Fatal(err)
	}
	for i, got := range words(t, &dev, out, 40) {
		if want := uint32(i + 3 + 3 + 9); got != want {
			t.Errorf("thread %d: %d, want %d", i, got, want)
		}
	}
}
