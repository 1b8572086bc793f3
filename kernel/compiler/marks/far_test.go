package marks

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/ir"
)

// far is the FarSrc and the FarDst of every instruction.
func far(k *ir.Kernel) (out [][2]uint16) {
	LongConsumers(k)
	Far(k)
	for i := range k.Insts {
		out = append(out, [2]uint16{k.Insts[i].T.FarSrc, k.Insts[i].T.FarDst})
	}
	return out
}

func TestAValueReadBehindTheNextLongConsumerIsFar(t *testing.T) {
	k := kernel(
		mov(2, ir.Imm(1, 1)), // 0: R2 read at 2, before the consumer
		mov(3, ir.Imm(1, 1)), // 1: R3 read by the consumer itself
		add(4, 2, 2),         // 2: R2 not read again; R4 read at 5
		load(1, 0),           // 3: R1 read by the consumer; R0 not read again
		add(5, 1, 3),         // 4: the long consumer; R1, R3 not read again; R5 read at 5
		add(6, 4, 5),         // 5: R6 never read
		exit)
	want := [][2]uint16{{0, 0}, {0, 1}, {3, 1}, {1, 1}, {3, 0}, {3, 1}, {0, 0}}
	if d := cmp.Diff(want, far(k)); d != "" {
		t.Error(d)
	}
}

func TestAValueThatIsNearOnOnePathIsNear(t *testing.T) {
	// 0: R1 loaded, 1: R2, 2: branch to 4, 3: R3 = R2+R2, 4: R4 = R1+R2 waits.
	k := kernel(load(1, 0), mov(2, ir.Imm(1, 1)), bra(4), add(3, 2, 2), add(4, 1, 2), exit)
	got := far(k)
	if got[1] != [2]uint16{0, 0} || got[3] != [2]uint16{3, 1} {
		t.Errorf("far bits %v", got)
	}
}

func TestALoopCarriesNearReadsBack(t *testing.T) {
	// 0: R2 = R2+R3 at the top of a loop without memory; R3 is read in each turn.
	k := kernel(add(2, 2, 3), setp(2), bra(0), exit)
	if got := far(k); got[0] != [2]uint16{0, 0} {
		t.Errorf("far bits %v", got)
	}
}

func TestAGuardedWriteDoesNotHideALaterRead(t *testing.T) {
	guarded := mov(2, ir.Imm(1, 1))
	guarded.Guard = ir.P(0)
	k := kernel(mov(2, ir.Imm(2, 1)), guarded, add(3, 2, 2), exit)
	if got := far(k); got[0][1] != 0 {
		t.Errorf("far bits %v", got)
	}
	k = kernel(mov(2, ir.Imm(2, 1)), mov(2, ir.Imm(1, 1)), add(3, 2, 2), exit)
	if got := far(k); got[0][1] != 1 {
		t.Errorf("an overwritten value is near: %v", got)
	}
}
