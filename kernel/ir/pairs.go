package ir

// Leads reports whether an instruction of a Maxwell may be the first of two that issue in a cycle,
// as its control word says with a stall count of 0: one of fixed latency. Source: maxas' wiki,
// Control Codes, and its MaxAsGrammar.pm.
func Leads(in *Inst) bool {
	switch in.T.Class {
	case ClassMove, ClassInt, ClassIntMul, ClassFAdd, ClassFMul, ClassFMA, ClassHalf, ClassShift, ClassCompare:
		return true
	}
	return false
}

// Follows reports whether an instruction may be the second of two that issue in a cycle: a memory
// instruction, a conversion or a special function. Barriers and branches are in that place too in
// maxas' programs (sgemm). Which units these have is for the machine to say: the two go to
// different ones.
func Follows(in *Inst) bool {
	switch in.T.Class {
	case ClassLoad, ClassStore, ClassAtomic, ClassTexture, ClassConvert, ClassConvertWide, ClassBits, ClassSFU,
		ClassBarrier, ClassBranch:
		return true
	}
	return false
}

// Pairs reports whether two instructions may issue in the same cycle: not both have an operand from
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
