package streams

import "kumiko/kernel/ir"

// Values counts the values written to warp registers by the number of their reads. A write begins a value even
// if only some lanes execute it, and ends the register's previous value. An instruction naming a register twice
// reads it twice.
type Values struct {
	Written uint64
	Reads   uint64
	Never   uint64
	Once    uint64
	Twice   uint64
	More    uint64
	// After counts the values read once by the distance of the read: 1, 2, 3 warp instructions after the
	// write, and later (Gebhart et al., figure 2(b)).
	After [4]uint64
}

// Add adds another count.
func (v *Values) Add(o *Values) {
	v.Written += o.Written
	v.Reads += o.Reads
	v.Never += o.Never
	v.Once += o.Once
	v.Twice += o.Twice
	v.More += o.More
	for i, n := range o.After {
		v.After[i] += n
	}
}

// ValueCounter follows the values in the registers of one warp after another.
type ValueCounter struct {
	Total Values
	now   uint64 // instructions executed
	live  [256]value
}

type value struct {
	born  uint64 // 0: none
	reads uint64
	last  uint64 // when it was last read
}

// Begin starts a warp with empty registers.
func (v *ValueCounter) Begin() {
	v.now = 0
	v.live = [256]value{}
}

// Step follows one instruction. An instruction executed by no lane reads and writes
// nothing, but counts as time.
func (v *ValueCounter) Step(t *ir.Timing, executed bool) {
	v.now++
	if !executed {
		return
	}
	for _, r := range t.Src[:t.NSrc] {
		if x := &v.live[r]; x.born != 0 {
			x.reads++
			x.last = v.now
		}
	}
	for _, r := range t.Dst[:t.NDst] {
		v.close(&v.live[r])
		v.live[r] = value{born: v.now}
	}
}

// End closes the remaining values at the end of the warp.
func (v *ValueCounter) End() {
	for i := range v.live {
		v.close(&v.live[i])
	}
}

func (v *ValueCounter) close(x *value) {
	if x.born == 0 {
		return
	}
	t := &v.Total
	t.Written++
	t.Reads += x.reads
	switch x.reads {
	case 0:
		t.Never++
	case 1:
		t.Once++
		t.After[min(x.last-x.born, 4)-1]++
	case 2:
		t.Twice++
	default:
		t.More++
	}
	x.born = 0
}
