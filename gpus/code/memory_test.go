package code

import (
	"fmt"
	"testing"

	"kumiko/kernel/ir"
)

// traced is a kernel of one instruction per place, as a trace shows it.
func traced(name string, places ...uint32) *ir.Kernel {
	k := &ir.Kernel{Name: name, Places: places}
	for _, p := range places {
		k.Insts = append(k.Insts, ir.Inst{Sym: fmt.Sprintf("OP%d", p)})
	}
	return k
}

func TestTracedKernelsOfOneNameAreTheSameCodeUnlessTheyContradictEachOther(t *testing.T) {
	c := newMemory()
	first, more, other := traced("k", 0, 1, 4), traced("k", 0, 2, 4), traced("m", 0, 1, 4)
	against := traced("k", 0, 2)
	against.Insts[1].Sym = "ANOTHER"
	whole := &ir.Kernel{Name: "k"}
	for _, k := range []*ir.Kernel{first, more, other, against, whole} {
		c.load(k)
	}
	if c.of[first] != c.of[more] {
		t.Errorf("what two launches show of one kernel lies at %#x and %#x", c.of[first], c.of[more])
	}
	seen := map[uint64]bool{}
	for _, k := range []*ir.Kernel{first, other, against, whole} {
		seen[c.of[k]] = true
	}
	if len(seen) != 4 {
		t.Errorf("four kernels lie at %d addresses", len(seen))
	}
}
