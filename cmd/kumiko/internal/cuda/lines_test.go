package cuda

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kumiko/kernel/ir"
)

const marked = `//
// Generated
//
.version 6.3

.file	1 "DIR/x.cu"
.file	2 "DIR/include/x.cu"
	// .globl	k
.visible .entry k(
)                                       // @k
{
$L__func_begin0:
	.loc	1 4 0                           // x.cu:4:0
	mov.u32 	%r1, 5;
$L__tmp0:
	.loc	2 9 3
	add.s32 	%r1, %r1, 1;
	.loc	1 5 7
	@%p1 bra 	$L__BB0_2;
$L__BB0_2:
	.loc	1 0 7
	ret;
$L__func_end0:
                                        // -- End function
}
	.section	.debug_loc	{	}
	.section	.debug_abbrev
	{
.b8 1
	}
`

func TestPTXLosesWhatIsAboutLines(t *testing.T) {
	dir, err := filepath.Abs("sub")
	if err != nil {
		t.Fatal(err)
	}
	text, places := clean(strings.ReplaceAll(marked, "DIR", dir), filepath.Join("sub", "x.cu"))
	want := ".version 6.3\n.visible .entry k(\n)\n{\n\tmov.u32 \t%r1, 5;\n\tadd.s32 \t%r1, %r1, 1;\n" +
		"\t@%p1 bra \t$L__BB0_2;\n$L__BB0_2:\n\tret;\n}\n"
	if string(text) != want {
		t.Errorf("text\n%s\nwant\n%s", text, want)
	}
	wantPlaces := make([]Place, 10)
	wantPlaces[4], wantPlaces[5] = Place{4, 1}, Place{4, 1}
	for i := 6; i < 10; i++ {
		wantPlaces[i] = Place{5, 7}
	}
	if !slices.Equal(places, wantPlaces) {
		t.Errorf("places %v, want %v", places, wantPlaces)
	}
}

func TestInstructionsGetThePlacesOfTheFile(t *testing.T) {
	m := &ir.Module{Kernels: []*ir.Kernel{{Insts: []ir.Inst{{Line: 2, Col: 9}, {}, {Line: 1}, {Line: 70, Col: 3}}}}}
	o := Output{Lines: []Place{{}, {12, 5}}}
	o.Place(m, "x.cu")
	k := m.Kernels[0]
	if m.File != "x.cu" || k.File != "x.cu" {
		t.Errorf("files %q and %q", m.File, k.File)
	}
	want := []ir.Inst{{Line: 12, Col: 5}, {}, {}, {Line: 70, Col: 3}}
	for i := range want {
		if k.Insts[i].Line != want[i].Line || k.Insts[i].Col != want[i].Col {
			t.Errorf("instruction %d: %d:%d, want %d:%d", i, k.Insts[i].Line, k.Insts[i].Col, want[i].Line, want[i].Col)
		}
	}
}
