package ptx

import (
	"strings"

	"kumiko/kernel/ir"
)

// specials are the special registers by name; thread and CTA coordinates need a component.
var specials = map[string]ir.Special{
	"%tid": ir.TidX, "%ntid": ir.NtidX, "%ctaid": ir.CtaidX, "%nctaid": ir.NctaidX,
	"%clusterid": ir.ClusterIDX, "%nclusterid": ir.NclusterIDX,
	"%cluster_ctaid": ir.ClusterCtaidX, "%cluster_nctaid": ir.ClusterNctaidX,
	"%cluster_ctarank": ir.ClusterCtarank, "%cluster_nctarank": ir.ClusterNctarank,
	"%is_explicit_cluster": ir.ExplicitCluster,
	"%laneid":              ir.LaneID, "%warpid": ir.WarpID, "%nwarpid": ir.NwarpID,
	"%smid": ir.SMID, "%nsmid": ir.NSMID,
	"%gridid":      ir.GridID,
	"%lanemask_eq": ir.LanemaskEq, "%lanemask_le": ir.LanemaskLe, "%lanemask_lt": ir.LanemaskLt,
	"%lanemask_ge": ir.LanemaskGe, "%lanemask_gt": ir.LanemaskGt,
	"%clock": ir.Clock, "%clock_hi": ir.ClockHi, "%clock64": ir.Clock64,
	"%globaltimer": ir.GlobalTimer, "%globaltimer_lo": ir.GlobalTimerLo, "%globaltimer_hi": ir.GlobalTimerHi,
	"%dynamic_smem_size": ir.DynamicSharedSize, "%total_smem_size": ir.TotalSharedSize,
	"%aggr_smem_size": ir.TotalSharedSize, "%envreg1": ir.EnvReg1, "%envreg2": ir.EnvReg2,
}

// fixedSpecials have one value here, whatever the launch.
var fixedSpecials = map[string]uint64{
	"%current_graph_exec": 0, "%reserved_smem_offset_begin": 0, "%reserved_smem_offset_end": 0,
	"%reserved_smem_offset_cap": 0,
}

// counters are special registers with several instances: performance counters
// and values of the driver. All of them read as 0.
var counters = map[string]int{"%pm": 8, "%envreg": 32}

// predefined reports whether a name is a special register or constant (PTX ISA sections 10 and 4.5).
func predefined(name string) bool {
	_, special := specials[name]
	_, fixed := fixedSpecials[name]
	return special || fixed || name == "WARP_SZ" || counter(name)
}

// counter reports whether a name is one of counters.
func counter(name string) (found bool) {
	numbered(strings.TrimSuffix(name, "_64"), func(stem string, n int) { found = found || n < counters[stem] })
	return found
}

// special resolves a special register: the register itself for mov, otherwise a temporary, set by a mov.
func (d *decoder) special(o *operand, t ir.Type) (ir.Operand, bool) {
	s, ok := specials[o.name]
	if !ok && counter(o.name) { // set by the driver, to nothing here
		return ir.Imm(0, max(1, t.Words())), true
	}
	if bits, ok := fixedSpecials[o.name]; ok {
		return ir.Imm(bits, max(1, t.Words())), true
	}
	if s == ir.ExplicitCluster && t == ir.PredType {
		return d.explicitCluster(), true
	}
	if !ok || t == ir.PredType {
		return ir.Operand{}, false
	}
	coordinate := s.Coordinate()
	c := vectorMember(o.member)
	if coordinate && (c < 0 || o.member == "r" || o.member == "g" || o.member == "b") || !coordinate && o.member != "" {
		return ir.Operand{}, false
	}
	if coordinate {
		if c == 3 {
			return ir.Imm(0, t.Words()), true
		}
		s += ir.Special(c)
	}
	words := t.Words()
	v := ir.Operand{Kind: ir.KindSpecial, Special: s, Words: uint8(words)}
	if d.out.Op == ir.OpMov {
		return v, true
	}
	r := d.e.temp(t.Size())
	d.e.add(ir.Inst{Op: ir.OpMov, Type: unsigned(t), Guard: d.guard, Dst: []ir.Operand{r}, Src: []ir.Operand{v},
		Line: d.out.Line, Col: d.out.Col})
	return r, true
}

// explicitCluster returns %is_explicit_cluster as a predicate, which it is in PTX.
func (d *decoder) explicitCluster() ir.Operand {
	r := d.e.temp(4)
	d.e.add(ir.Inst{Op: ir.OpMov, Type: ir.U32, Dst: []ir.Operand{r}, Src: []ir.Operand{{Kind: ir.KindSpecial,
		Special: ir.ExplicitCluster, Words: 1}}, Line: d.out.Line, Col: d.out.Col})
	p := ir.P(d.e.newPred())
	d.e.add(ir.Inst{Op: ir.OpSetp, Type: ir.U32, Mods: ir.Mods{Cmp: ir.NE}, Dst: []ir.Operand{p},
		Src: []ir.Operand{r, ir.Imm(0, 1)}, Line: d.out.Line, Col: d.out.Col})
	return p
}

// unsigned returns the unsigned integer type of a type's size.
func unsigned(t ir.Type) ir.Type {
	switch t.Size() {
	case 1:
		return ir.U8
	case 2:
		return ir.U16
	case 8:
		return ir.U64
	}
	return ir.U32
}

// signedType returns the signed integer type of a size in bytes.
func signedType(size int) ir.Type {
	switch size {
	case 1:
		return ir.S8
	case 2:
		return ir.S16
	case 8:
		return ir.S64
	}
	return ir.S32
}
