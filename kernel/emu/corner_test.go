package emu

import (
	"strings"
	"testing"

	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/stream"
)

// Two warps share a counter by turns, with turns far shorter than the work.
func TestTurnsThatRunOutChangeNoResult(t *testing.T) {
	const body = `
	mov.u32 %r1, 0;
LOOP:
	add.u32 %r1, %r1, 1;
	red.global.add.u32 [%rd0], %r1;
	setp.lt.u32 %p1, %r1, 50;
	@%p1 bra LOOP;
	ret;`
	run := func(turn uint64) (uint32, Stats) {
		var m mem.Memory
		a := m.Alloc("a", 4)
		e := begin(t, Runner{Mem: &m, Limits: Limits{TurnInsts: turn}}, textLaunch(kernelText(t, 1, body), 9, 64, a))
		s, err := Run(e)
		if err != nil {
			t.Fatal(err)
		}
		return words(t, &m, a, 1)[0], s
	}
	whole, stats := run(0)
	short, shortStats := run(10)
	if want := uint32(9 * 64 * 50 * 51 / 2); whole != want || short != want {
		t.Errorf("the counters are %d and %d, want %d", whole, short, want)
	}
	if stats.WarpInsts != shortStats.WarpInsts || stats.ThreadInsts != shortStats.ThreadInsts {
		t.Errorf("%d instructions in long turns, %d in short ones", stats.WarpInsts, shortStats.WarpInsts)
	}
}

// A CTA counting while it polls never returns to an earlier state. After some attempts the awaited CTA runs.
func TestAWaitThatCountsEndsAfterSomeAttempts(t *testing.T) {
	var m mem.Memory
	a := m.Alloc("a", 8)
	u := kernelText(t, 1, `
	mov.u32 %r1, %ctaid.x;
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra SET;
	mov.u32 %r2, 0;
WAIT:
	add.u32 %r2, %r2, 1;
	ld.volatile.global.u32 %r3, [%rd0];
	setp.eq.u32 %p2, %r3, 0;
	@%p2 bra WAIT;
	st.global.u32 [%rd0+4], %r2;
	ret;
SET:
	st.volatile.global.u32 [%rd0], 1;
	ret;`)
	mustRun(t, &Runner{Mem: &m, Limits: Limits{TurnInsts: 10000}}, textLaunch(u, 2, 32, a))
	if got := words(t, &m, a, 2)[1]; got != mostQuiet+1 {
		t.Errorf("polled %d times, want %d", got, mostQuiet+1)
	}
}

// The first warp counts while it polls, and the second stores what it waits for.
func TestAWarpThatCountsGivesTheOthersATurn(t *testing.T) {
	var m mem.Memory
	a := m.Alloc("a", 8)
	err := runLimited(t, Limits{WarpInsts: 5000}, `
	setp.ge.u32 %p1, %r0, 32;
	@%p1 bra SET;
	mov.u32 %r2, 0;
WAIT:
	add.u32 %r2, %r2, 1;
	ld.volatile.global.u32 %r3, [%rd0];
	setp.eq.u32 %p2, %r3, 0;
	@%p2 bra WAIT;
	ret;
SET:
	st.volatile.global.u32 [%rd0], 1;
	ret;`, 1, 64, &m, a)
	if err != nil {
		t.Error(err)
	}
}

func TestScatteredLocalAndSharedAccesses(t *testing.T) {
	got := results(t, `
	.local .align 4 .b8 l[64];
	.shared .align 4 .b8 s[256];
	mul.lo.u32 %r1, %r0, %r0;
	and.b32 %r1, %r1, 15;
	shl.b32 %r1, %r1, 2;
	mov.u32 %r2, l;
	add.u32 %r2, %r2, %r1;
	add.u32 %r3, %r0, 7;
	st.local.u32 [%r2], %r3;
	ld.local.u32 %r4, [%r2];
	mul.lo.u32 %r6, %r0, 23;
	and.b32 %r6, %r6, 63;
	shl.b32 %r6, %r6, 2;
	mov.u32 %r7, s;
	add.u32 %r7, %r7, %r6;
	st.shared.u32 [%r7], %r4;
	ld.shared.u32 %r5, [%r7];`+storeR5, 1, 64, 64)
	wantEach(t, got, func(i int) uint32 { return uint32(i + 7) })
}

// The lanes of one access to different spaces each reach their own.
func TestMixedGenericStoresAndAtomics(t *testing.T) {
	got := results(t, `
	.shared .align 4 .b8 s[256];
	mul.wide.u32 %rd2, %r0, 4;
	add.u64 %rd3, %rd0, %rd2;
	mov.u64 %rd4, s;
	cvta.shared.u64 %rd4, %rd4;
	add.u64 %rd4, %rd4, %rd2;
	and.b32 %r1, %r0, 1;
	setp.eq.u32 %p1, %r1, 0;
	selp.b64 %rd5, %rd3, %rd4, %p1;
	st.u32 [%rd5], %r0;
	atom.add.u32 %r2, [%rd5], 100;
	ld.u32 %r3, [%rd5];
	add.u32 %r3, %r3, %r2;
	st.global.u32 [%rd3], %r3;
	ret;`, 1, 32, 64)
	wantEach(t, got[:32], func(i int) uint32 { return uint32(2*i + 100) })
}

func TestMixedAccessesReportTheLaneThatFails(t *testing.T) {
	const body = `
	.shared .align 4 .b8 s[256];
	mov.u64 %rd4, s;
	cvta.shared.u64 %rd4, %rd4;
	setp.eq.u32 %p1, %r0, 3;
	selp.b64 %rd5, WRONG, %rd4, %p1;
	INST
	ret;`
	for _, inst := range []string{"st.u32 [%rd5], %r0;", "ld.u32 %r1, [%rd5];", "atom.add.u32 %r1, [%rd5], 1;"} {
		for wrong, says := range map[string]string{"0x10000082": "not aligned", "0x20000000": "is in no buffer"} {
			var m mem.Memory
			a := m.Alloc("a", 256)
			text := strings.NewReplacer("INST", inst, "WRONG", wrong).Replace(body)
			wantError(t, runText(t, text, 1, 32, &m, a), "test.ptx:16", "thread (3,0,0)", says)
		}
	}
}

func TestStoresThroughGenericAddressesToConstantMemoryAreErrors(t *testing.T) {
	k := newKit(0)
	k.op(ir.OpMov, ir.U64, ir.R(0, 2), ir.Imm(ir.ConstWindow, 2))
	k.st(ir.B32, ir.Generic, ir.R(0, 2), 0, ir.R(0, 1))
	k.exit(ir.Operand{})
	var m mem.Memory
	e := prepare(t, k.kernel(), &m, launch(1, 32))
	e.Const = make([]byte, 16)
	_, err := Run(e)
	wantError(t, err, "kit.ptx:2", "thread (0,0,0)", "const space, which cannot be written")
}

func TestAPrefetchIsRecordedAndCheckedByNobody(t *testing.T) {
	u := kernelText(t, 1, `
	mul.wide.u32 %rd2, %r0, 4;
	add.u64 %rd2, %rd2, 64;
	prefetch.global.L2 [%rd2];
	ret;`)
	k := u.Kernels[0]
	for i := range k.Insts {
		in := &k.Insts[i]
		in.T.Guarded = in.Guard.Kind == ir.KindPred
		if in.Op == ir.OpPrefetch {
			in.T.Space = ir.Global
		}
	}
	k.Allocated = true // with its Timing filled in
	var m mem.Memory
	e := begin(t, Runner{Mem: &m}, textLaunch(u, 1, 32, m.Alloc("a", 4)))
	acc := collect(t, e)[0].Warps[0].Accesses
	if len(acc) != 1 || acc[0].Base != 64 || acc[0].Stride != 4 || acc[0].Space != ir.Global {
		t.Errorf("accesses %+v", acc)
	}
}

func TestAnUnknownKernelIsNamedWithThoseThereAre(t *testing.T) {
	var m mem.Memory
	l := textLaunch(kernelText(t, 0, "ret;"), 1, 32)
	l.Kernel = "other"
	wantError(t, (&Runner{Mem: &m}).Launch(l), `test.ptx has no kernel "other"; it has ["k"]`)
}

func TestARunnerReportsEveryLaunch(t *testing.T) {
	var m mem.Memory
	var seen []uint64
	r := Runner{Mem: &m, Done: func(_ *host.Launch, s Stats) { seen = append(seen, s.ThreadInsts) }}
	u := kernelText(t, 0, "setp.lt.u32 %p1, %r0, 5;\n@%p1 add.u32 %r1, %r0, 1;\nret;")
	for _, block := range []int{32, 3} {
		mustRun(t, &r, textLaunch(u, 2, block))
	}
	// mov, setp and ret by all, the addition by five and by three threads.
	if len(seen) != 2 || seen[0] != 2*(3*32+5) || seen[1] != 2*(3*3+3) {
		t.Errorf("thread instructions %v", seen)
	}
}

func TestIntegerMinAndMaxWithReluAreNotNegative(t *testing.T) {
	var all []trial
	for _, op := range []ir.Op{ir.OpMin, ir.OpMax} {
		all = append(all, trial{name: op.String(), in: plain(op, ir.S32, ir.Mods{Relu: true}),
			src: []ir.Type{ir.S32, ir.S32}, dst: ir.S32,
			want: func(a []uint64) uint64 {
				x, y := int32(a[0]), int32(a[1])
				if op == ir.OpMin {
					return uint64(max(min(x, y), 0))
				}
				return uint64(max(x, y, 0))
			}})
	}
	checkAll(t, all)
}

func TestHalfAtomicsAddEachHalf(t *testing.T) {
	got := results(t, `
	mov.b32 %r1, 0x40003c00;
	red.global.add.noftz.f16x2 [%rd0], %r1;
	mov.b16 %h1, 0x3c00;
	red.global.add.noftz.f16 [%rd0+4], %h1;
	ret;`, 1, 32, 2)
	// 32 = 0x5000 and 64 = 0x5400 in half precision.
	if got[0] != 0x54005000 || got[1] != 0x5000 {
		t.Errorf("the cells are %#x", got)
	}
}

// The stream of a CTA does not change after the hand-over, when its state is reused for the next one.
func TestStreamsStayAsTheyAreWhenLaterCTAsRun(t *testing.T) {
	var m mem.Memory
	u := kernelText(t, 1, `
	mov.u32 %r1, %ctaid.x;
	mad.lo.u32 %r1, %r1, %r0, %r0;
	mul.wide.u32 %rd2, %r1, 4;
	add.u64 %rd2, %rd0, %rd2;
	setp.lt.u32 %p1, %r0, %r1;
	@%p1 st.global.u32 [%rd2], %r1;
	ret;`)
	a := m.Alloc("a", 4*32*40)
	e := begin(t, Runner{Mem: &m}, textLaunch(u, 30, 32, a))
	for i, c := range collect(t, e) {
		w := &c.Warps[0]
		want := stream.Access{Base: a, Stride: int32(4 * (i + 1)), Space: ir.Global}
		mask := uint32(0xfffffffe)
		if i == 0 {
			mask = 0
		}
		if len(w.Masks) != 1 || w.Masks[0] != mask {
			t.Fatalf("CTA %d: masks %#x, want %#x", i, w.Masks, mask)
		}
		if i > 0 && (len(w.Accesses) != 1 || w.Accesses[0].Base != want.Base || w.Accesses[0].Stride != want.Stride) {
			t.Fatalf("CTA %d: accesses %+v, want %+v", i, w.Accesses, want)
		}
	}
}
