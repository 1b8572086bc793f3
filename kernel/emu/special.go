package emu

import "kumiko/kernel/ir"

// special returns the value of a special register constant over the run of the warp. The emulator has one SM and
// one grid: %smid is 0, %nsmid 1, %gridid 0; %warpid is the warp's index in its CTA and %nwarpid the number of
// warps of the CTA.
func (w *warp) special(s ir.Special, lane uint32, word uint8) uint32 {
	if word > 0 {
		return 0
	}
	l := w.eng.l
	thread := 32*w.index + int(lane)
	switch s {
	case ir.TidX:
		return uint32(thread % l.Block[0])
	case ir.TidY:
		return uint32(thread / l.Block[0] % l.Block[1])
	case ir.TidZ:
		return uint32(thread / l.Block[0] / l.Block[1])
	case ir.NtidX, ir.NtidY, ir.NtidZ:
		return uint32(l.Block[s-ir.NtidX])
	case ir.NctaidX, ir.NctaidY, ir.NctaidZ:
		return uint32(l.Grid[s-ir.NctaidX])
	case ir.LaneID:
		return lane
	case ir.WarpID:
		return uint32(w.index)
	case ir.NwarpID:
		return uint32((l.threads() + 31) / 32)
	case ir.NSMID:
		return 1
	case ir.LanemaskEq:
		return 1 << lane
	case ir.LanemaskLe:
		return 2<<lane - 1
	case ir.LanemaskLt:
		return 1<<lane - 1
	case ir.LanemaskGe:
		return ^(1<<lane - 1)
	case ir.LanemaskGt:
		return ^(2<<lane - 1)
	case ir.DynamicSharedSize:
		return uint32(l.DynShared)
	case ir.StackBase:
		return uint32(l.stackBase())
	case ir.EnvReg1:
		return uint32(l.workspace >> 32)
	case ir.EnvReg2:
		return uint32(l.workspace)
	case ir.NclusterIDX, ir.NclusterIDY, ir.NclusterIDZ:
		return uint32(l.Grid[s-ir.NclusterIDX] / l.cluster[s-ir.NclusterIDX])
	case ir.ClusterNctaidX, ir.ClusterNctaidY, ir.ClusterNctaidZ:
		return uint32(l.cluster[s-ir.ClusterNctaidX])
	case ir.ClusterNctarank:
		return uint32(l.cluster[0] * l.cluster[1] * l.cluster[2])
	case ir.ExplicitCluster:
		return explicit(l.clustered)
	case ir.TotalSharedSize:
		return uint32(w.eng.ownShared())
	}
	return 0 // positions of the CTA come with it; %smid, %gridid
}

func explicit(clustered bool) uint32 {
	if clustered {
		return 1
	}
	return 0
}

// position returns a special register that depends on the CTA's place in the grid. A cluster is a block of CTAs next to
// each other in each dimension; ranks count along x first (PTX ISA section 10).
func (c *cta) position(s ir.Special) uint32 {
	of := c.eng.l.cluster
	within := func(i int) uint32 { return c.ctaid[i] % uint32(of[i]) }
	switch {
	case s >= ir.ClusterIDX && s <= ir.ClusterIDZ:
		return c.ctaid[s-ir.ClusterIDX] / uint32(of[s-ir.ClusterIDX])
	case s >= ir.ClusterCtaidX && s <= ir.ClusterCtaidZ:
		return within(int(s - ir.ClusterCtaidX))
	case s == ir.ClusterCtarank:
		return within(0) + uint32(of[0])*(within(1)+uint32(of[1])*within(2))
	}
	return c.ctaid[s-ir.CtaidX]
}
