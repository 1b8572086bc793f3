package ir

// Leads reports whether an instruction of a Maxwell may be the first of a pair issued in one cycle, marked by a
// stall count of 0 in its control word: an instruction of fixed latency. Source: maxas' wiki, Control Codes, and
// its MaxAsGrammar.pm.
func Leads(in *Inst) bool {
	switch in.T.Class {
	case ClassMove, ClassInt, ClassIntMul, ClassFAdd, ClassFMul, ClassFMA, ClassHalf, ClassHalfMMA,
		ClassShift, ClassCompare, ClassXmad:
		return true
	}
	return false
}

// Follows reports whether an instruction may be the second of a pair issued in one cycle: a memory instruction, a
// conversion or a special function. Barriers and branches also occur in this place in maxas' programs (sgemm). The
// two of a pair go to different units; the machine determines the unit of each.
func Follows(in *Inst) bool {
	switch in.T.Class {
	case ClassLoad, ClassStore, ClassAtomic, ClassTexture, ClassConvert, ClassConvertWide, ClassBits, ClassSFU,
		ClassBarrier, ClassBranch:
		return true
	}
	return false
}

// Pairs reports whether two instructions may issue in the same cycle. At most one of them may have an operand from
// the constant bank.
func Pairs(first, second *Inst) bool {
	return Leads(first) && Follows(second) && !(constant(first) && constant(second))
}

// constant reports whether an instruction has an operand from the constant bank.
func constant(in *Inst) bool {
	for i := range in.Src {
		switch o := &in.Src[i]; o.Kind {
		case KindConst, KindParam:
			return true
		case KindSpecial:
			if o.Special.LaunchConstant() {
				return true
			}
		}
	}
	return false
}
