package collector

import (
	"fmt"
	"math/bits"

	"kumiko/components/version"
)

// Busy returns the number of allocated collectors.
func (x *Set) Busy() int { return len(x.slots) - bits.OnesCount64(x.free) }

// Waiting describes the waits of the allocated collectors.
func (x *Set) Waiting() string {
	issued := 0
	for i := range x.Issue {
		issued += x.Issue[i].Len()
	}
	for i := range x.registers {
		for _, q := range x.registers[i].ops {
			issued += len(q)
		}
	}
	if x.Busy() == 0 && issued == 0 {
		return ""
	}
	out := fmt.Sprintf("%d of %d collectors allocated, %d operations wait for one", x.Busy(), len(x.slots), issued)
	if x.waiting != 0 {
		s := &x.slots[bits.TrailingZeros64(x.waiting)]
		i := bits.TrailingZeros16(s.waiting)
		out += fmt.Sprintf("; warp %d waits for R%d (operation %d)", s.o.Warp, s.o.Inst.T.Src[i], s.o.Tag)
	}
	if x.units != 0 {
		out += fmt.Sprintf("; %s is awaited", x.Ready[bits.TrailingZeros64(x.units)].Name())
	}
	return out
}

// Holding reports whether collector c is allocated, its operation has a source i, and the value of the source has
// arrived.
func (x *Set) Holding(c, i int) bool {
	s := &x.slots[c]
	return x.free>>c&1 == 0 && i < int(s.o.Inst.T.NSrc) && s.waiting>>i&1 == 0
}

// Alter changes the version content held by collector c for source i. Tests inject faults with it. It needs a
// checker.
func (x *Set) Alter(c, i int, f func(version.Content) version.Content) {
	x.held[c][i] = f(x.held[c][i])
}
