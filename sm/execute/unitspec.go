package execute

import (
	"maps"
	"slices"
	"strings"

	"kumiko/components/op"
	"kumiko/components/spec"
	"kumiko/kernel/ir"
)

// UnitSpec is a kind of execution unit.
type UnitSpec struct {
	Count   int      `toml:"count" unit:"units" doc:"units of this kind per SM"`
	Shared  bool     `toml:"shared" unit:"-" doc:"every scheduler may use every unit of this kind. Otherwise unit u belongs to scheduler u mod schedulers"`
	Classes []string `toml:"classes" unit:"-" doc:"timing classes that the unit executes"`
	Latency int      `toml:"latency" unit:"cycles" doc:"from entry to the arrival of the result at the register file, writeback stage included. The memory's own time comes on top of the load/store unit's latency: 2 is the link to the memory and the writeback stage, and each further cycle is a stage of the address path"`
	Initial int      `toml:"initiation" unit:"cycles" doc:"cycles between the entries of two operations"`
	// Products are read where there are any; without one a product takes the interval of its class.
	Products map[string]int   `toml:"products" unit:"cycles" doc:"by the types of a matrix product (f16_f32: f16 with sums in f32; group_f16: of a warpgroup), the cycles for which 2048 multiply-adds of a warp, as m16n8k16 has them, take the unit's input. 0: the unit multiplies no such matrices, and kernels with them are refused. Without any, products take the intervals of their classes"`
	Class    map[string][]int `toml:"class" unit:"cycles" doc:"latency and initiation interval of the timing classes that differ from the unit's"`
}

// All returns the timing classes that the unit executes. A unit that executes moves executes moves into uniform
// registers too, in the same time unless Class has one for them.
func (u *UnitSpec) All() []string {
	move, uniform := ir.ClassMove.String(), ir.ClassUniformMove.String()
	if !slices.Contains(u.Classes, move) || slices.Contains(u.Classes, uniform) {
		return u.Classes
	}
	return append(slices.Clone(u.Classes), uniform)
}

// Executes reports whether units of this kind execute a timing class.
func (u *UnitSpec) Executes(c ir.Class) bool { return slices.Contains(u.All(), c.String()) }

// CheckTimes returns an error for a latency or an initiation interval outside the ranges of all units.
func CheckTimes(key string, t []int) error {
	if len(t) != 2 || t[0] < 2 || t[0] > 1000 || t[1] < 1 || t[1] > 1000 {
		return spec.Errorf(key, t, "latency 2 to 1000 (the writeback stage is one of them) and initiation interval 1 "+
			"to 1000")
	}
	return nil
}

// IssueOnly classes end when they issue: they occupy no execution unit.
func IssueOnly(c ir.Class) bool {
	switch c {
	case ir.ClassNop, ir.ClassBarrier, ir.ClassExit, ir.ClassFence:
		return true
	}
	return false
}

// Optional reports whether a GPU may lack a unit for a class.
func Optional(c ir.Class) bool {
	return c == ir.ClassMatrix || c == ir.ClassMatrixWide || c == ir.ClassMatrixGroup
}

// CheckProducts returns an error for rates of matrix products that do not exist or are out of range.
func (u *UnitSpec) CheckProducts(key string) error {
	for _, name := range slices.Sorted(maps.Keys(u.Products)) {
		if _, ok := ir.ProductByName(name); !ok {
			return &spec.Error{Key: key + "." + name, Found: name,
				Want: "a product: " + strings.Join(productList(), ", ")}
		}
		if v := u.Products[name]; v < 0 || v > mostProduct {
			return spec.Errorf(key+"."+name, v, "0 to %d", mostProduct)
		}
	}
	return nil
}

// mostProduct bounds the cycles of 2048 multiply-adds: two of them per cycle in a GPU whose four tensor units stand for
// the double-precision units take 4096.
const mostProduct = 4096

func productList() []string {
	var out []string
	for p := ir.ProductNone + 1; p < ir.NumProducts; p++ {
		out = append(out, p.String())
	}
	return out
}

// Multiplies reports whether the unit has a rate for a product. A unit without any rates multiplies everything in the
// times of its classes.
func (u *UnitSpec) Multiplies(p ir.Product) bool {
	return p == ir.ProductNone || len(u.Products) == 0 || u.Products[p.String()] > 0
}

// ClassByName returns the timing class of a name, and whether there is one.
func ClassByName(name string) (ir.Class, bool) {
	for c := ir.ClassNop; c < ir.NumClasses; c++ {
		if c.String() == name {
			return c, true
		}
	}
	return 0, false
}

// ClassList returns the names of the timing classes.
func ClassList() []string {
	var out []string
	for c := ir.ClassNop; c < ir.NumClasses; c++ {
		out = append(out, c.String())
	}
	return out
}

// Times returns the unit's latencies and initiation intervals by timing class.
func (u *UnitSpec) Times() *op.Times {
	var out op.Times
	for _, cn := range u.All() {
		c, _ := ClassByName(cn)
		t := []int{u.Latency, u.Initial}
		if o, ok := u.Class[cn]; ok {
			t = o
		} else if o, ok := u.Class[ir.ClassMove.String()]; ok && c == ir.ClassUniformMove {
			t = o
		}
		out.Class[c] = op.Time{Latency: uint16(t[0]), Initiation: uint16(t[1])}
	}
	for name, cycles := range u.Products {
		p, _ := ir.ProductByName(name)
		out.Product[p] = uint16(cycles)
	}
	return &out
}

// Fixed reports whether a unit belongs to one scheduler and executes a class of fixed latency.
func (u *UnitSpec) Fixed() bool {
	return !u.Shared && slices.ContainsFunc(u.Classes, func(name string) bool {
		c, _ := ClassByName(name)
		return c.FixedLatency()
	})
}
