package sass

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"kumiko/kernel/ir"
)

func TestTheThreeAddressModesGiveTheSameAddresses(t *testing.T) {
	// Lanes 4 to 7, 16 bytes apart from 0x1000 on.
	got := accesses(t, `
0000 000000f0 1 R0 LDG.E 1 R2 4 0 0x0000000000001000 0x0000000000001010 0x0000000000001020 0x0000000000001030 0
0010 000000f0 1 R0 LDG.E 1 R2 4 1 0x1000 16 0
0020 000000f0 1 R0 LDG.E 1 R2 4 2 0x1000 16 16 16 0
0030 ffffffff 0 EXIT 0 0 0
`)
	want := [32]uint64{4: 0x1000, 5: 0x1010, 6: 0x1020, 7: 0x1030}
	if len(got) != 3 {
		t.Fatalf("%d accesses", len(got))
	}
	for i, d := range got {
		if d.lanes != want || d.space != ir.Global || d.exec != 0xf0 {
			t.Errorf("mode %d: %x in %s", i, d.lanes, d.space)
		}
	}
}

func TestDeltasMayGoBackAndLeaveLanesOut(t *testing.T) {
	got := accesses(t, "\n0000 80000009 1 R0 LDG.E 1 R2 4 2 0x7fc841500624 -36 1000000000000 0\n")
	want := [32]uint64{0: 0x7fc841500624, 3: 0x7fc841500600, 31: 0x7fc841500600 + 1000000000000}
	if got[0].lanes != want {
		t.Errorf("%x", got[0].lanes)
	}
}

func TestGenericAddressesFallInTheWindowsOfTheHeader(t *testing.T) {
	got := accesses(t, `
0000 00000001 1 R0 LD.E 1 R2 4 2 0x7f5e00000010 0
0010 00000001 1 R0 LD.E 1 R2 4 2 0x7f5ddd000020 0
0020 00000001 1 R0 LD.E 1 R2 4 2 0x7f0000000030 0
0030 00000003 1 R0 LD.E 1 R2 4 0 0x7f5e00000010 0x7f0000000030 0
0040 00000001 1 R0 LDS 1 R2 4 2 0x7f5e00000010 0
0050 00000001 0 STL 2 R2 R3 4 2 0x7f5ddd000020 0
`)
	type access struct {
		Space ir.Space
		First uint64
	}
	var have []access
	for _, d := range got {
		have = append(have, access{d.space, d.lanes[0]})
	}
	want := []access{{ir.Shared, 0x10}, {ir.Local, 0x20}, {ir.Global, 0x7f0000000030},
		{ir.Generic, ir.SharedWindow + 0x10}, {ir.Shared, 0x10}, {ir.Local, 0x20}}
	if d := cmp.Diff(want, have); d != "" {
		t.Error(d)
	}
}

func TestALineMayEndInNoneOneOrTwoImmediatesOrAValue(t *testing.T) {
	for _, tail := range []string{"", " ", " 7", " -7 ", " 7 9", " 0 0 NoVal", " 0 0 Val 1 2 3"} {
		text := head("1,1,1", "32,1,1") + block("0,0,0", "0000 ffffffff 1 R1 MOV 0 0"+tail+"\n")
		if l, err := scanText(text, Options{}); err != nil || l.Report.WarpInstructions != 1 {
			t.Errorf("%q: %v", tail, err)
		}
	}
}

func TestVersions3To6AreReadWithAndWithoutLineNumbers(t *testing.T) {
	for version := 3; version <= 6; version++ {
		for info, line := range []string{"", "123 "} {
			text := headOf(version, "1,1,1", "32,1,1", info) + block("0,0,0",
				"\n"+line+"0010 ffffffff 1 R1 FADD 2 R2 R255 0\n"+line+"0020 ffffffff 0 EXIT 0 0\n")
			l, err := scanText(text, Options{Strict: true})
			if err != nil {
				t.Errorf("version %d: %v", version, err)
				continue
			}
			in := &l.Kernel.Insts[0]
			if want := []int32{23, 123}[info]; in.Line != want || in.T.NSrc != 1 || in.T.Src[0] != 2 ||
				in.T.Class != ir.ClassFAdd {
				t.Errorf("version %d: line %d (want %d), %+v", version, in.Line, want, in.T)
			}
		}
	}
}

// Accel-Sim treats a header without a version as version 0.
func TestLinesOfVersions0To2BeginWithTheThreadBlockAndTheWarp(t *testing.T) {
	for version := range 3 {
		text := headOf(version, "1,1,1", "32,1,1", 0) + block("0,0,0",
			"\n0 0 0 0 0010 ffffffff 1 R1 FADD 2 R2 R255 0\n0 0 0 0 0020 ffffffff 0 EXIT 0 0\n")
		if version == 0 {
			text = strings.Replace(text, "-accelsim tracer version = 0\n", "", 1)
		}
		l, err := scanText(text, Options{Strict: true})
		if err != nil || l.Report.WarpInstructions != 2 || l.Kernel.Insts[0].T.Class != ir.ClassFAdd {
			t.Errorf("version %d: %v", version, err)
			continue
		}
		if list := ctasOf(t, l, text); len(list) != 1 || list[0].Warps[0].Insts != 2 {
			t.Errorf("version %d: %d thread blocks", version, len(list))
		}
	}
}

func TestTheEndOfTheLastThreadBlockMayBeMissing(t *testing.T) {
	text := head("2,1,1", "64,1,1") + block("0,0,0", loop, loop) + block("1,0,0", loop, loop)
	want := mustScan(t, text)
	text = text[:strings.LastIndex(text, "#END_TB")]
	l := mustScan(t, text)
	if l.Report.WarpInstructions != want.Report.WarpInstructions || len(ctasOf(t, l, text)) != 2 {
		t.Errorf("%d instructions, want %d", l.Report.WarpInstructions, want.Report.WarpInstructions)
	}
}

func TestClusterLinesAndUniformRegistersAreTaken(t *testing.T) {
	text := head("1,1,1", "32,1,1") + `#BEGIN_TB

thread block = 0,0,0
cluster id = 0,0,0
cluster cta = 0,0,0
cluster rank = 0

warp = 0
insts = 2
0000 ffffffff 1 UR4 UIADD3 2 UR5 URZ 0 1
0010 ffffffff 1 R1 IADD3 3 R2 UR4 RZ 0 0

#END_TB
`
	l := mustScan(t, text)
	if a, b := &l.Kernel.Insts[0].T, &l.Kernel.Insts[1].T; a.NSrc != 0 || a.NDst != 0 || b.NSrc != 1 || b.Src[0] != 2 ||
		b.Dst[0] != 1 {
		t.Errorf("%+v %+v", a, b)
	}
}

// shuffled is a grid of four blocks in the order 2, 0, 3, 1, the warps of block
// 2 in reverse.
const shuffled = "#BEGIN_TB\nthread block = 0,1,0\nwarp = 1\ninsts = 1\n0000 ffffffff 1 R3 MOV 0 0\nwarp = 0\ninsts " +
	"= 1\n0000 00000002 1 R3 MOV 0 0\n#END_TB\n"

func shuffledText() string {
	one := func(id, mask string) string {
		return block(id, "0000 "+mask+" 1 R3 MOV 0 0\n", "0000 ffffffff 1 R3 MOV 0 0\n")
	}
	return head("2,2,1", "64,1,1") + shuffled + one("0,0,0", "00000000") + one("1,1,0", "00000003") +
		one("1,0,0", "00000001")
}

// compressed returns a text, compressed by the ending of its file's name.
func compressed(t *testing.T, name, text string) string {
	var b bytes.Buffer
	var w io.WriteCloser
	switch filepath.Ext(name) {
	case ".gz":
		w = gzip.NewWriter(&b)
	case ".zst":
		w, _ = zstd.NewWriter(&b)
	default:
		return text
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestBlocksComeInGridOrderWhateverTheOrderOfTheFile(t *testing.T) {
	for _, name := range []string{"k.traceg", "k.traceg.gz", "k.traceg.zst"} {
		l, err := Load(write(t, name, compressed(t, name, shuffledText())), Options{Strict: true})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s := l.Source(1)
		var masks []uint32
		var order []int
		for c := s.Next(); c != nil; c = s.Next() {
			order = append(order, c.Index)
			masks = append(masks, walk(l.Kernel, &c.Warps[0])[0].exec)
		}
		if s.Err() != nil || !cmp.Equal(order, []int{0, 1, 2, 3}) || !cmp.Equal(masks, []uint32{0, 1, 2, 3}) {
			t.Errorf("%s: order %v, masks %v, %v", name, order, masks, s.Err())
		}
		s.Close()
	}
}

func TestATraceCompressedByXZIsRead(t *testing.T) {
	l := mustLoad(t, "testdata/loop.traceg.xz", Options{Strict: true})
	s := l.Source(1)
	defer s.Close()
	if c := s.Next(); c == nil || c.Warps[0].Insts != 8 || l.Report.WarpInstructions != 8 {
		t.Errorf("%+v, %v", l.Report, s.Err())
	}
}

func TestASourceCanBeClosedBeforeItsEnd(t *testing.T) {
	l := mustLoad(t, write(t, "k.traceg", shuffledText()), Options{})
	s := l.Source(1)
	s.Next()
	s.Close()
	if s.Next() != nil || s.Err() != nil {
		t.Errorf("after Close: %v", s.Err())
	}
}

func TestReadingStopsWhenItIsAskedTo(t *testing.T) {
	quit := make(chan struct{})
	close(quit)
	if _, err := scanText(shuffledText(), Options{Quit: quit}); err != ErrStopped {
		t.Errorf("%v", err)
	}
}

func TestWarpsWithoutInstructionsAreLeftOut(t *testing.T) {
	text := head("2,1,1", "64,1,1") + block("0,0,0", "", "0000 ffffffff 0 EXIT 0 0\n") + block("1,0,0", "", "")
	l := mustScan(t, text)
	c := ctasOf(t, l, text)
	if len(c) != 1 || len(c[0].Warps) != 1 {
		t.Errorf("%d blocks", len(c))
	}
}

func TestFunctionsWithTheSameAddressesStayApart(t *testing.T) {
	text := head("1,1,1", "32,1,1") + block("0,0,0", `
0000 ffffffff 1 R1 MOV 0 0
0010 ffffffff 0 CALL.REL.NOINC 0 0
0000 ffffffff 1 R2 FADD 2 R3 R4 0
0010 ffffffff 0 RET.REL.NODEC 0 0
0020 ffffffff 0 EXIT 0 0
`)
	l := mustScan(t, text)
	if len(l.Kernel.Insts) != 5 {
		t.Fatalf("%d instructions", len(l.Kernel.Insts))
	}
	var names []string
	for _, d := range walk(l.Kernel, &ctasOf(t, l, text)[0].Warps[0]) {
		names = append(names, l.Kernel.Insts[d.pc].Sym)
	}
	if got := strings.Join(names, " "); got != "MOV CALL.REL.NOINC FADD RET.REL.NODEC EXIT" {
		t.Error(got)
	}
}

func TestAnUnknownOpcodeIsCountedAndNamedOnce(t *testing.T) {
	text := head("1,1,1", "32,1,1") + block("0,0,0",
		"0000 ffffffff 1 R1 FROB.X 1 R2 0\n0010 ffffffff 1 R1 FROB.X 1 R3 0\n0000 ffffffff 1 R1 FROB.X 1 R2 0\n")
	l, err := scanText(text, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]Unknown{{"FROB.X", 23, 3}}, l.Report.Unknown); d != "" ||
		l.Kernel.Insts[0].T.Class != ir.ClassInt {
		t.Error(d)
	}
	if _, err = scanText(text, Options{Strict: true}); err == nil || !strings.HasPrefix(err.Error(),
		"t.traceg:23:15: found the opcode FROB.X") {
		t.Errorf("%v", err)
	}
}

func TestAKernelListNamesCopiesAndTraces(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{ListName: "MemcpyHtoD,0x00007fb0fc400000,200000\n\nkernel-1.traceg\n" +
		"kernel-2-ctx_0x1.traceg.zst\nMemcpyDtoH,0x10,4\n",
		"kernel-1.traceg": "", "kernel-2-ctx_0x1.traceg.zst": ""} {
		put(t, filepath.Join(dir, name), text)
	}
	want := []Command{{Line: 1, Addr: 0x7fb0fc400000, Bytes: 200000},
		{Line: 3, Trace: filepath.Join(dir, "kernel-1.traceg")},
		{Line: 4, Trace: filepath.Join(dir, "kernel-2-ctx_0x1.traceg.zst")}, {Line: 5, Addr: 0x10, Bytes: 4}}
	for _, name := range []string{dir, filepath.Join(dir, ListName)} {
		l, err := OpenList(name)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, l.Commands); d != "" || !IsTraces(name) {
			t.Error(d)
		}
	}
}

func TestAHeaderMayEndWithTheFirstThreadBlock(t *testing.T) {
	text := strings.Replace(head("1,1,1", "32,1,1"), "#traces", "# traces", 1)
	text = text[:strings.Index(text, "# traces")] + block("0,0,0", "0000 ffffffff 1 R1 MOV 0 0\n")
	l := mustScan(t, text)
	if n := len(ctasOf(t, l, text)); n != 1 {
		t.Errorf("%d thread blocks", n)
	}
}

func TestAPanicOfTheReadersGoroutineIsAnInternalErrorWithTheFile(t *testing.T) {
	l := mustLoad(t, write(t, "k.traceg", shuffledText()), Options{})
	l.Kernel.Insts = nil // as no reader leaves it
	src := l.Source(1)
	defer src.Close()
	for src.Next() != nil {
	}
	var fault *ir.InternalError
	if err := src.Err(); !errors.As(err, &fault) || fault.File != l.File || fault.Kernel != "k" {
		t.Errorf("%v, want an internal error of %s", err, l.File)
	}
}
