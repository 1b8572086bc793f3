package synthetic

import (
	"fmt"
	"strconv"
	"strings"
)

// dials are the properties of a kernel.
type dials struct {
	dep    int // number of accumulators: distance in operations from a result to its reader
	reuse  int // operations from a read of a pool register to the next as the same operand; pool registers
	stride int // registers from an operation's first pool register to its second
	idle   int // registers live throughout the loop and not read in it
	ramp   int // registers live during a turn of the loop
	mem    int // percent of the operations with a loaded addend
	span   int // range of the grid's loads in bytes, a power of two
	div    int // number of divergent groups of lanes
	iters  int // turns of the loop; 0: by size
	block  int // threads per CTA
	ctas   int // 0: by size
}

var defaults = dials{dep: 4, reuse: 8, stride: 1, mem: 10, span: 1 << 20, div: 1, block: 256}

// dial describes one dial with its range.
type dial struct {
	name     string
	low, top int
	power    bool // of two
	of       func(*dials) *int
}

var all = []dial{
	{"dep", 1, 32, false, func(d *dials) *int { return &d.dep }},
	{"reuse", 1, 64, false, func(d *dials) *int { return &d.reuse }},
	{"stride", 0, 63, false, func(d *dials) *int { return &d.stride }},
	{"idle", 0, 128, false, func(d *dials) *int { return &d.idle }},
	{"ramp", 0, 64, false, func(d *dials) *int { return &d.ramp }},
	{"mem", 0, 100, false, func(d *dials) *int { return &d.mem }},
	{"span", 1 << 10, 1 << 28, true, func(d *dials) *int { return &d.span }},
	{"div", 1, 32, true, func(d *dials) *int { return &d.div }},
	{"iters", 1, 1000, false, func(d *dials) *int { return &d.iters }},
	{"block", 32, 1024, false, func(d *dials) *int { return &d.block }},
	{"ctas", 1, 1 << 16, false, func(d *dials) *int { return &d.ctas }},
}

// parse reads name=value pairs separated by commas, on top of the defaults.
func parse(args string) (dials, error) {
	d := defaults
	seen := map[string]bool{}
	for _, pair := range strings.Split(args, ",") {
		name, value, _ := strings.Cut(pair, "=")
		x := find(name)
		if x == nil {
			return d, fmt.Errorf("%s: no dial %q; expected %s", pair, name, names())
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < x.low || n > x.top || x.power && n&(n-1) != 0 {
			return d, fmt.Errorf("%s: found %q, expected %s", name, value, x.wants())
		}
		if seen[name] {
			return d, fmt.Errorf("%s is set twice", name)
		}
		seen[name] = true
		*x.of(&d) = n
	}
	return d, d.check()
}

// check refuses contradictory dials.
func (d *dials) check() error {
	switch {
	case d.stride >= d.reuse:
		return fmt.Errorf("stride=%d: expected less than reuse (%d), the registers of the pool", d.stride, d.reuse)
	case d.dep+d.reuse+d.idle+d.ramp > 200:
		return fmt.Errorf("dep, reuse, idle and ramp are %d registers together, expected at most 200",
			d.dep+d.reuse+d.idle+d.ramp)
	case d.iters*rowLength > exact:
		return fmt.Errorf("iters=%d: expected at most %d, beyond which sums are not exact", d.iters, exact/rowLength)
	}
	return nil
}

func (x *dial) wants() string {
	if x.power {
		return fmt.Sprintf("a power of two from %d to %d", x.low, x.top)
	}
	return fmt.Sprintf("an integer from %d to %d", x.low, x.top)
}

func find(name string) *dial {
	for i := range all {
		if all[i].name == name {
			return &all[i]
		}
	}
	return nil
}

func names() string {
	var out []string
	for _, x := range all {
		out = append(out, x.name)
	}
	return strings.Join(out, ", ")
}
