package suite

import (
	"kumiko/benchmarks/measured"
	"kumiko/kernel/ir"
)

// soon is how many instructions after it was written a value counts as read
// soon (Gebhart et al., section 2.2, figure 2).
const soon = 3

// values follows the values in the registers of one warp.
type values struct {
	total *measured.Values
	now   uint64 // instructions executed
	live  [256]value
}

type value struct {
	born  uint64 // 0: none
	reads uint64
	last  uint64 // when it was last read
}

// begin starts a warp with empty registers.
func (v *values) begin(total *measured.Values) { *v = values{total: total} }

// step follows one instruction; one that no lane executes reads and writes nothing.
func (v *values) step(in *ir.Inst, executed bool) {
	v.now++
	if !executed {
		return
	}
	for _, r := range in.T.Src[:in.T.NSrc] {
		if x := &v.live[r]; x.born != 0 {
			x.reads++
			x.last = v.now
		}
	}
	for _, r := range in.T.Dst[:in.T.NDst] {
		v.close(&v.live[r])
		v.live[r] = value{born: v.now}
	}
}

// end closes what is left when the warp has ended.
func (v *values) end() {
	for i := range v.live {
		v.close(&v.live[i])
	}
}

func (v *values) close(x *value) {
	if x.born == 0 {
		return
	}
	v.total.Written++
	v.total.Reads += x.reads
	switch {
	case x.reads == 0:
		v.total.Never++
	case x.reads == 1:
		v.total.Once++
		if x.last-x.born <= soon {
			v.total.Soon++
		}
	case x.reads > 2:
		v.total.MoreThan2++
	}
	x.born = 0
}
