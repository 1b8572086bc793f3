package timeline

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/ir"
)

func TestAKonataLogHasTheStagesOfEachInstructionByCycle(t *testing.T) {
	var out bytes.Buffer
	k := NewKonata(&out)
	in := &ir.Inst{Op: ir.OpExit}
	k.issued(&operation{inst: in, tag: 7, warp: 3}, 10)
	k.enter(7, stageCollect, 11)
	k.issued(&operation{inst: in, warp: 4}, 12) // ends at issue
	k.enter(7, stageReady, 14)
	k.enter(7, stageExecute, 15)
	k.enter(7, stageExecute, 19) // its last cycle there
	k.enter(7, stageWrite, 21)
	k.enter(8, stageWrite, 21) // of an operation issued before the window
	k.issued(&operation{inst: in, tag: 9, warp: 5}, 98)
	k.enter(9, stageCollect, 99)
	k.enter(9, stageReady, 105) // behind the window
	if err := k.write(8, 100); err != nil {
		t.Fatal(err)
	}
	want := `Kanata	0004
C=	8
C	2
I	0	0	3
L	0	0	warp 3: exit
S	0	0	Is
C	1
E	0	0	Is
S	0	0	Co
C	1
I	1	1	4
L	1	0	warp 4: exit
S	1	0	Is
C	1
E	1	0	Is
R	1	1	0
C	1
E	0	0	Co
S	0	0	Rd
C	1
E	0	0	Rd
S	0	0	Ex
C	6
E	0	0	Ex
S	0	0	Wb
C	1
E	0	0	Wb
R	0	0	0
C	76
I	2	2	5
L	2	0	warp 5: exit
S	2	0	Is
C	1
E	2	0	Is
S	2	0	Co
C	1
E	2	0	Co
R	2	2	0
`
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Errorf("log (-want +got):\n%s", d)
	}
}
