package tables

import (
	"fmt"
	"testing"

	"kumiko/kernel/compiler"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/ir"
	"kumiko/kernel/ptx"
)

// beside has a barrier on each side of a branch, with a sum made in front of the barrier and stored behind it. The
// branch is taken by the lanes for which guard is true.
const beside = `.version 6.3
.target sm_52
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 n)
{
	.reg .u32 %%r<8>;
	.reg .u64 %%rd<4>;
	.reg .pred %%p<3>;
	ld.param.u64 %%rd1, [p];
	ld.param.u32 %%r5, [n];
	mov.u32 %%r1, %%tid.x;
	setp.ne.u32 %%p1, %s, 0;
	@%%p1 bra OTHER;
	add.u32 %%r2, %%r1, 7;
	bar.sync 0;
	st.global.u32 [%%rd1], %%r2;
	bra END;
OTHER:
	add.u32 %%r3, %%r1, 9;
	bar.sync 0;
	st.global.u32 [%%rd1+4], %%r3;
END:
	ret;
}
`

// Lanes that come to a barrier apart from others wait in front of it, and the warp then resumes in the middle of a
// block. Where the branch is the same for all lanes, it does not.
func TestAWarpEntersARegionAtABarrierToWhichItsLanesCameApart(t *testing.T) {
	for guard, want := range map[string]bool{"%r1": true, "%r5": false} {
		m, err := ptx.Parse("beside.ptx", fmt.Appendf(nil, beside, guard))
		if err != nil {
			t.Fatal(err)
		}
		k, err := compiler.Compile(m.Kernel("k"), compiler.Options{})
		if err != nil {
			t.Fatal(err)
		}
		barriers := 0
		for pc := range k.Insts {
			if k.Insts[pc].Op != ir.OpBar {
				continue
			}
			barriers++
			sum := int(k.Insts[pc-1].T.Dst[0])
			// A region for each instruction.
			r := Regions{Sets: make([]intervals.Set, len(k.Insts))}
			for i := range k.Insts {
				r.ByPC = append(r.ByPC, int32(i))
			}
			in := New(k).LiveIn(&r)
			if in[pc].Has(sum) != want || in[pc+1].Has(sum) != want {
				t.Errorf("branch by %s: the sum R%d is live at the barrier: %v, behind it: %v, want %v", guard, sum,
					in[pc].Has(sum), in[pc+1].Has(sum), want)
			}
		}
		if barriers != 2 {
			t.Fatalf("%d barriers", barriers)
		}
	}
}
