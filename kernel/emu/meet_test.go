package emu

import (
	"fmt"
	"testing"
)

// Lanes return from different depths. Between the two calls all of them vote, and the result of the vote does not
// depend on the way back.
func TestLanesMeetBehindACallFromWhichTheyComeBackFromDifferentDepths(t *testing.T) {
	const call = `{ .param .b32 a; .param .b32 b; rem.u32 %%r2, %%r0, %d; st.param.b32 [a], %%r2; call.uni (b), fib, (a);
ld.param.b32 %%r%d, [b]; }
`
	got, err := recursive(t, fibonacci, fmt.Sprintf(call, 7, 3)+"activemask.b32 %r4;\n"+fmt.Sprintf(call, 5, 5)+
		"popc.b32 %r1, %r4;", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	wantEach(t, got, func(i int) uint32 {
		if i < 32 {
			return 32
		}
		return 8 // the block's 40 threads are a warp and a quarter
	})
}

// Clang ends a switch without a default case with an exit never reached by a lane.
func TestLanesMeetBehindASwitchWhoseLastCaseIsAnExitOrATrap(t *testing.T) {
	for _, end := range []string{"exit;", "trap;", "trap; exit;"} {
		got, err := recursive(t, fibonacci, `and.b32 %r2, %r0, 1;
setp.eq.u32 %p0, %r2, 0; @%p0 bra EVEN;
setp.eq.u32 %p0, %r2, 1; @%p0 bra ODD; bra.uni NEVER;
EVEN: mov.u32 %r3, 1; bra.uni ON;
ODD: mov.u32 %r3, 2; bra.uni ON;
NEVER: `+end+`
ON: activemask.b32 %r4; popc.b32 %r1, %r4;`, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		wantEach(t, got, func(i int) uint32 {
			if i < 32 {
				return 32
			}
			return 8
		})
	}
}
