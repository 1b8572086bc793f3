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
	// Products, if there are any, have the intervals of matrix products. Without any, the interval is that of the
	// product's class.
	Products map[string]int `toml:"products" unit:"cycles" doc:"by the types of a matrix product (f16_f32: f16 with sums in f32; group_f16: of a warpgroup), the cycles for which 2048 multiply-adds of a warp, as m16n8k16 has them, take the unit's input. 0: the unit multiplies no such matrices, and kernels with them are refused. Without any, products take the intervals of their classes"`
	Upper    map[string]int `toml:"upper" unit:"cycles" doc:"of a product of integers with an upper word, such as IMAD.HI and IMAD.WIDE: interval, the cycles until another operation enters; hold, how long it takes the inputs of the units under holds.int_mul, which the register file turing obeys. Without an interval it has that of its class"`
	// Holds are read by register files that know when units are free.
	Holds map[string][]string `toml:"holds" unit:"-" doc:"by timing class, kinds of units of the same sub-core whose inputs such an operation takes beside its own, as long as its own; int_mul: see upper.hold. The register file turing obeys it; others let the units take operations meanwhile"`
	Class map[string][]int    `toml:"class" unit:"cycles" doc:"latency and initiation interval of the timing classes that differ from the unit's"`
}

// Parent returns the class that executes another class if no unit is declared for it: on the parent's unit, in the
// parent's time unless that unit's Class has a time for it.
func Parent(c ir.Class) (ir.Class, bool) {
	switch c {
	case ir.ClassUniformMove:
		return ir.ClassMove, true
	case ir.ClassHalfMMA:
		return ir.ClassHalf, true
	case ir.ClassXmad:
		return ir.ClassIntMul, true
	}
	return 0, false
}

// All returns the timing classes that the unit executes, those included that it does for a parent class unless another
// unit is said to.
func (u *UnitSpec) All() []string {
	out := u.Classes
	for c := ir.ClassNop; c < ir.NumClasses; c++ {
		if p, ok := Parent(c); ok && slices.Contains(u.Classes, p.String()) && !slices.Contains(out, c.String()) {
			out = append(slices.Clip(out), c.String())
		}
	}
	return out
}

// Names reports whether a timing class is among the unit's own.
func (u *UnitSpec) Names(c ir.Class) bool { return slices.Contains(u.Classes, c.String()) }

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

// Keys of UnitSpec.Upper.
const (
	upperInterval = "interval"
	upperHold     = "hold"
)

// CheckHolds returns an error for an interval out of range, or for held units that an operation cannot hold. others
// has the GPU's units.
func (u *UnitSpec) CheckHolds(key, name string, others map[string]UnitSpec) error {
	for _, name := range slices.Sorted(maps.Keys(u.Upper)) {
		if name != upperInterval && name != upperHold {
			return &spec.Error{Key: key + ".upper." + name, Found: name, Want: upperInterval + " or " + upperHold}
		}
		if v := u.Upper[name]; v < 0 || v > 1000 {
			return spec.Errorf(key+".upper."+name, v, "0 to 1000")
		}
	}
	for _, c := range slices.Sorted(maps.Keys(u.Holds)) {
		if !slices.Contains(u.All(), c) || u.Shared {
			return &spec.Error{Key: key + ".holds." + c, Found: c, Want: "a class of a unit of each sub-core"}
		}
		for _, kind := range u.Holds[c] {
			if o, ok := others[kind]; !ok || o.Shared || kind == name {
				return &spec.Error{Key: key + ".holds." + c, Found: kind, Want: "another kind of unit of each sub-core"}
			}
		}
	}
	return nil
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
		} else if p, ok := Parent(c); ok && u.Class[p.String()] != nil {
			t = u.Class[p.String()]
		}
		out.Class[c] = op.Time{Latency: uint16(t[0]), Initiation: uint16(t[1])}
	}
	out.Upper, out.Hold = uint16(u.Upper[upperInterval]), uint16(u.Upper[upperHold])
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
