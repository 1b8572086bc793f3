package sass

import (
	"math/bits"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/kernel/compiler/marks"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// randomInst is an instruction with every kind of operand.
func randomInst(t *rapid.T, n int) ir.Inst {
	reg := func(words int) ir.Operand { return ir.R(ir.Reg(rapid.IntRange(0, 15).Draw(t, "reg")*2), words) }
	in := ir.Inst{Line: int32(rapid.IntRange(0, 99).Draw(t, "line"))}
	switch rapid.IntRange(0, 7).Draw(t, "kind") {
	case 0:
		in.Op, in.Type = ir.OpFma, rapid.SampledFrom([]ir.Type{ir.F32, ir.F64}).Draw(t, "type")
		w := in.Type.Words()
		in.Dst, in.Src = []ir.Operand{reg(w)},
			[]ir.Operand{reg(w), reg(w), {Kind: ir.KindParam, Imm: 16, Words: uint8(w)}}
	case 1:
		in.Op, in.Type, in.Mods.Cmp = ir.OpSetp, ir.S32, ir.LT
		in.Dst, in.Src = []ir.Operand{ir.P(3)}, []ir.Operand{reg(1), ir.Imm(rapid.Uint64().Draw(t, "imm"), 1)}
	case 2:
		in.Op, in.Type = ir.OpLd, rapid.SampledFrom([]ir.Type{ir.U8, ir.F32, ir.F64}).Draw(t, "type")
		in.Space = rapid.SampledFrom([]ir.Space{ir.Global, ir.Shared, ir.Local, ir.Generic, ir.Const}).Draw(t, "space")
		in.Addr = ir.Addr{Base: reg(2), Offset: int64(rapid.IntRange(-64, 64).Draw(t, "offset"))}
		in.Dst = []ir.Operand{reg(max(in.Type.Words(), 1))}
	case 3:
		in.Op, in.Type, in.Space = ir.OpSt, ir.F32, ir.Global
		in.Addr, in.Src = ir.Addr{Base: reg(2)}, []ir.Operand{reg(1), reg(1)}
	case 4:
		in.Op, in.Type, in.Space, in.Mods.Atomic = ir.OpAtom, ir.U32, ir.Generic, ir.AtomCas
		in.Addr, in.Dst, in.Src = ir.Addr{Base: reg(2)}, []ir.Operand{reg(1)}, []ir.Operand{reg(1), reg(1)}
	case 5:
		in.Op, in.Target = ir.OpBra, rapid.IntRange(0, n).Draw(t, "target")
	case 6:
		in.Op, in.Src = ir.OpBar, []ir.Operand{ir.Imm(3, 1), ir.Imm(64, 1)}
	case 7:
		in.Op, in.Type, in.Mods.Atomic = ir.OpRed, ir.U32, ir.AtomAdd
		in.Space = rapid.SampledFrom([]ir.Space{ir.Global, ir.Shared, ir.Generic}).Draw(t, "space")
		in.Addr, in.Src = ir.Addr{Base: reg(1)}, []ir.Operand{reg(1)}
	}
	if rapid.Bool().Draw(t, "guarded") {
		in.Guard = ir.Operand{Kind: ir.KindPred, Reg: 2, Neg: true}
	}
	ir.SetTiming(&in)
	in.T.LongConsumer = rapid.Bool().Draw(t, "long")
	return in
}

// randomAccess returns an access by the lanes of mask, to the space of the instruction or, if it is generic, to any
// space.
func randomAccess(t *rapid.T, s ir.Space, mask uint32) stream.Access {
	a := stream.Access{Space: s}
	if s == ir.Generic {
		a.Space = rapid.SampledFrom([]ir.Space{ir.Global, ir.Shared, ir.Local}).Draw(t, "lies in")
	}
	base := uint64(rapid.IntRange(0, 1<<15).Draw(t, "base"))
	if a.Space == ir.Global {
		base += rapid.SampledFrom([]uint64{0x7f00_0000_0000, 1<<64 - 1<<11}).Draw(t, "part")
	}
	if rapid.Bool().Draw(t, "regular") {
		a.Base, a.Stride = base+32*64, int32(rapid.IntRange(-64, 64).Draw(t, "stride"))
		return a
	}
	var addrs []uint64
	for range bits.OnesCount32(mask) {
		addrs = append(addrs, base+uint64(rapid.IntRange(0, 4096).Draw(t, "lane")))
	}
	return accessTo(a.Space, addrs...)
}

// accessTo returns an access at listed addresses.
func accessTo(s ir.Space, addrs ...uint64) stream.Access {
	var a stream.Access
	a.SetList(s, &addrs, 0, len(addrs))
	return a
}

func randomWarp(t *rapid.T, k *ir.Kernel, lanes uint32) stream.Warp {
	var w stream.Warp
	for range rapid.IntRange(1, 12).Draw(t, "instructions") {
		pc := rapid.IntRange(0, len(k.Insts)-1).Draw(t, "pc")
		active := rapid.Uint32Range(1, lanes).Draw(t, "active")
		exec := active
		in := &k.Insts[pc]
		if in.T.Guarded {
			exec &= rapid.Uint32().Draw(t, "guard")
			w.Masks = append(w.Masks, exec)
		}
		w.Runs = append(w.Runs, stream.Run{PC: uint32(pc), N: 1, Mask: active})
		if in.T.Space != ir.SpaceNone && exec != 0 {
			w.Accesses = append(w.Accesses, randomAccess(t, in.T.Space, exec))
		}
		w.Insts++
		w.Lanes += uint64(bits.OnesCount32(exec))
	}
	return w
}

func TestABarrierWhoseNumberIsInARegisterIsNotRecorded(t *testing.T) {
	in := ir.Inst{Op: ir.OpBar, Src: []ir.Operand{ir.R(1, 1)}, Line: 7, Col: 2}
	ir.SetTiming(&in)
	r := newRecorder(t, t.TempDir())
	_, err := r.Launch(&ir.Kernel{Name: "k", File: "k.ptx", Insts: []ir.Inst{in}}, [3]int{1, 1, 1}, [3]int{32, 1, 1}, 0)
	if want := "k.ptx:7:2: found a barrier whose number, or number of threads, is in a register, expected " +
		"constants in what is recorded"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// What is written is read back: the program whole, and of each instruction the
// lanes, the space and the addresses.
func TestARecordedLaunchIsReadBack(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		k := &ir.Kernel{Name: "k", File: "k.ptx", Allocated: true, NumRegs: 32, NumPreds: 4, Footprint: 32,
			SharedBytes: 64, LocalBytes: 8}
		n := rapid.IntRange(1, 8).Draw(t, "size")
		for range n {
			k.Insts = append(k.Insts, randomInst(t, n))
		}
		marks.Next(k)
		grid := [3]int{2, 1, 2}
		var ctas []*stream.CTA
		for i := range 4 {
			ctas = append(ctas, &stream.CTA{Index: i, Kernel: k, Warps: []stream.Warp{randomWarp(t, k, 1<<32-1),
				randomWarp(t, k, 1<<8-1)}})
		}
		r := newRecorder(t, dir)
		r.Packed = rapid.Bool().Draw(t, "packed")
		name := r.next()
		w, err := r.Launch(k, grid, [3]int{40, 1, 1}, 192)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range ctas {
			if err := w.CTA(c); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		readBack(t, filepath.Join(dir, name), k, grid, ctas)
	})
}

func readBack(t *rapid.T, file string, k *ir.Kernel, grid [3]int, ctas []*stream.CTA) {
	l := mustLoad(t, file, Options{Strict: true})
	got := *l.Kernel
	got.File = k.File
	if d := cmp.Diff(k, &got); d != "" {
		t.Fatalf("kernel (-written +read):\n%s", d)
	}
	if l.Grid != grid || l.Block != [3]int{40, 1, 1} || l.SharedBytes != 192 || l.Registers != 32 {
		t.Fatalf("%+v", l.Header)
	}
	s := l.Source(2)
	defer s.Close()
	for _, want := range ctas {
		c := s.Next()
		if c == nil || c.Index != want.Index || len(c.Warps) != len(want.Warps) {
			t.Fatalf("block %d: %v", want.Index, s.Err())
		}
		for i := range c.Warps {
			if d := cmp.Diff(walk(k, &want.Warps[i]), walk(l.Kernel, &c.Warps[i]),
				cmp.AllowUnexported(dyn{})); d != "" {
				t.Fatalf("block %d warp %d (-written +read):\n%s", want.Index, i, d)
			}
			if c.Warps[i].Insts != want.Warps[i].Insts || c.Warps[i].Lanes != want.Warps[i].Lanes {
				t.Fatalf("block %d warp %d: %d instructions of %d lanes", want.Index, i, c.Warps[i].Insts,
					c.Warps[i].Lanes)
			}
		}
	}
}

func TestWrittenLinesHaveAccelSimsForm(t *testing.T) {
	// At most one result and four sources; a memory width only if addresses follow.
	in := ir.Inst{Op: ir.OpSt, Type: ir.F32, Space: ir.Global, Addr: ir.Addr{Base: ir.R(4, 2)},
		Src: []ir.Operand{ir.R(6, 1), ir.R(7, 1), ir.R(8, 1), ir.R(9, 1)}}
	ir.SetTiming(&in)
	if text, width := lineOf(&in); string(text) != "0 STG.E.128 4 R4 R6 R7 R8 16" || width != 16 {
		t.Errorf("%s, width %d", text, width)
	}
	fma := ir.Inst{Op: ir.OpFma, Type: ir.F64, Dst: []ir.Operand{ir.R(2, 2)},
		Src: []ir.Operand{ir.R(4, 2), ir.R(4, 2), ir.Imm(0, 2)}}
	ir.SetTiming(&fma)
	if text, width := lineOf(&fma); string(text) != "1 R2 DFMA 2 R4 R4 0" || width != 0 {
		t.Errorf("%s, width %d", text, width)
	}
}

// sharedRed is a reduction in shared memory: an atomic operation with an unread result.
func sharedRed() ir.Inst {
	in := ir.Inst{Op: ir.OpRed, Type: ir.U32, Space: ir.Shared, Mods: ir.Mods{Atomic: ir.AtomAdd},
		Addr: ir.Addr{Base: ir.R(4, 1)}, Src: []ir.Operand{ir.R(6, 1)}}
	ir.SetTiming(&in)
	return in
}

func TestAnAtomicOfSharedMemoryWithoutResultIsWrittenWithOneThatNobodyReads(t *testing.T) {
	in := sharedRed()
	if text, _ := lineOf(&in); string(text) != "1 R255 ATOMS.ADD 2 R4 R6 4" {
		t.Errorf("%s", text)
	}
	in.Space, in.T.Space = ir.Global, ir.Global
	if text, _ := lineOf(&in); string(text) != "0 RED.E.ADD 2 R4 R6 4" {
		t.Errorf("in global memory: %s", text)
	}
}

func TestAnAtomicWithoutResultIsReadInBothForms(t *testing.T) {
	k := &ir.Kernel{Name: "k", Allocated: true, NumRegs: 8, Footprint: 8, Insts: []ir.Inst{sharedRed()}}
	warp := stream.Warp{Insts: 1, Lanes: 32, Runs: []stream.Run{{N: 1, Mask: ^uint32(0)}},
		Accesses: []stream.Access{{Space: ir.Shared, Base: 16, Stride: 4}}}
	file := recordOne(t, k, warp)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const now, once = " 1 R255 ATOMS.ADD ", " 0 ATOMS.ADD "
	if n := strings.Count(string(text), now); n != 1 {
		t.Fatalf("%d lines with %q", n, now)
	}
	for _, form := range []string{now, once} {
		for _, bare := range []bool{false, true} {
			src := strings.Replace(string(text), now, form, 1)
			if bare { // as another tool's trace
				src = regexp.MustCompile("(?m)^-kumiko .*\n").ReplaceAllString(src, "")
			}
			l, err := Load(write(t, "kernel-1.traceg", src), Options{Strict: true})
			if err != nil {
				t.Fatalf("%q, without a program %v: %v", form, bare, err)
			}
			if l.Report.Own == bare || len(l.Kernel.Insts) != 1 || l.Kernel.Insts[0].Op != ir.OpRed {
				t.Fatalf("%q, without a program %v: %v", form, bare, l.Kernel.Insts)
			}
			s := l.Source(1)
			c := s.Next()
			if c == nil {
				t.Fatalf("%q, without a program %v: %v", form, bare, s.Err())
			}
			if got, want := walk(l.Kernel, &c.Warps[0]), walk(k, &warp); !cmp.Equal(got, want,
				cmp.AllowUnexported(dyn{})) {
				t.Errorf("%q, without a program %v: %v, want %v", form, bare, got, want)
			}
			s.Close()
		}
	}
}

// recordOne records a launch of one warp and returns the file.
func recordOne(t *testing.T, k *ir.Kernel, w stream.Warp) string {
	t.Helper()
	dir := t.TempDir()
	r := newRecorder(t, dir)
	out, err := r.Launch(k, [3]int{1, 1, 1}, [3]int{32, 1, 1}, 256)
	if err != nil {
		t.Fatal(err)
	}
	if err := out.CTA(&stream.CTA{Kernel: k, Warps: []stream.Warp{w}}); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "kernel-1.traceg")
}

func TestAnAccessIsWrittenInItsShortestForm(t *testing.T) {
	for _, c := range []struct {
		a    stream.Access
		mask uint32
		want string
	}{
		{stream.Access{Space: ir.Global, Base: 0x1000_0000, Stride: 4}, ^uint32(0), "1 0x10000000 4 "},
		{stream.Access{Space: ir.Shared, Base: 0x10, Stride: -4}, 0x6, "1 0x100000c -4 "},
		{stream.Access{Space: ir.Global, Base: 0x1000, Stride: 4}, 0x5, "2 0x1000 8 "},
		{accessTo(ir.Global, 0x1000, 0x1000+1<<40), 0x3, "2 0x1000 1099511627776 "},
		{accessTo(ir.Local, 8, 4), 0x3, "2 0x3000008 -4 "},
		{stream.Access{Space: ir.Global, Base: 4, Stride: -4}, 0x7, "0 0x4 0x0 0xfffffffffffffffc "},
		{accessTo(ir.Global, 8, 1<<63+16), 0x3, "0 0x8 0x8000000000000010 "},
	} {
		if got := string(appendAccess(nil, &c.a, c.mask)); got != c.want {
			t.Errorf("%+v: %q, want %q", c.a, got, c.want)
		}
	}
}

func TestARecordingThatIsCutShortLeavesNothingUnderItsName(t *testing.T) {
	dir := t.TempDir()
	r := newRecorder(t, dir)
	l := mustScan(t, shuffledText())
	src, err := r.Record(l.Kernel, l.Grid, l.Block, 0, &fixedSource{ctas: ctasOf(t, l, shuffledText())})
	if err != nil {
		t.Fatal(err)
	}
	src.Next()
	src.Close()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	files, _ := os.ReadDir(dir)
	if len(files) != 1 || files[0].Name() != ListName {
		t.Errorf("%v", files)
	}
}

// fixedSource is a source of existing CTAs.
type fixedSource struct{ ctas []*stream.CTA }

func (f *fixedSource) Next() *stream.CTA {
	if len(f.ctas) == 0 {
		return nil
	}
	c := f.ctas[0]
	f.ctas = f.ctas[1:]
	return c
}
func (f *fixedSource) Err() error { return nil }
func (f *fixedSource) Close()     {}

func TestAProgramInTheHeaderIsChecked(t *testing.T) {
	l := mustScan(t, shuffledText())
	dir := t.TempDir()
	r, _ := NewRecorder(dir)
	src, err := r.Record(l.Kernel, l.Grid, l.Block, 0, &fixedSource{ctas: ctasOf(t, l, shuffledText())})
	if err != nil {
		t.Fatal(err)
	}
	for src.Next() != nil {
	}
	good, err := os.ReadFile(filepath.Join(dir, "kernel-1.traceg"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := scanText(string(good), Options{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, want string }{
		{"program = 1", "program = 2", `t.traceg:14:19: found "2", expected version 1`},
		{`"NumRegs":10`, `"NumRegs":2`,
			"t.traceg:16:16: found operand R3 at 0, expected registers below 2 and predicates below 8"},
		{`"Class":1`, `"Class":99`, "t.traceg:16:16: found an instruction that cannot be: class 99, expected 0 to 36"},
		{`"Type":11}`, `"Type":99}`,
			"t.traceg:16:16: found an instruction that cannot be: type 99, expected 0 to 23"},
		{`-kumiko inst = {`, `-kumiko inst = {"Mods":{"Cmp":77},`,
			"t.traceg:16:16: found an instruction that cannot be: comparison 77, expected 0 to 14"},
		{`-kumiko kernel = {`, `-kumiko kernel = {"Params":[{"Name":"p","Type":99}],`,
			`t.traceg:15:18: found the parameter "p" of type 99, expected 0 to 23`},
		{`"Type":11}`, `"Type":-1}`, "t.traceg:16:16: found an instruction that cannot be read: Type is a number -1, " +
			"expected a whole number of 8 bits, not negative"},
		{`"Op":1,`, `"Op":4000,`, "t.traceg:16:16: found an instruction that cannot be read: Op is a number 4000, " +
			"expected a whole number of 8 bits, not negative"},
		{`"Class":1`, `"Klass":1`,
			`t.traceg:16:16: found an instruction that cannot be read: json: unknown field "Klass"; ` +
				"expected what run --record writes"},
		{"R3 MOV", "R4 MOV", `t.traceg:27:15: found "1", expected the instruction that the header has at 0x0`},
		{"-kumiko kernel", "-kumiko k", `t.traceg:16:2: found an instruction, expected -kumiko kernel before it`},
	} {
		bad := strings.Replace(string(good), c.from, c.to, 1)
		if _, err := scanText(bad, Options{}); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", c.to, err, c.want)
		}
	}
}
