package subcore

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/regfile"
)

// NewIndex says where the registers of an SM's warps lie in so many banks per sub-core, by the
// setting bank_index.
func NewIndex(env *regfile.Env, setting string, banks int) (*bank.Index, error) {
	policy, err := bank.ParsePolicy("bank_index", setting)
	if err != nil {
		return nil, err
	}
	return bank.NewIndex(policy, banks, env.Warps, env.Registers, env.Schedulers)
}

// Begin gives an index, where banks are dealt linearly, the number of registers of the warps of a
// launch.
func Begin(index *bank.Index, plan any) {
	if l, ok := plan.(*regfile.Launch); ok {
		index.Registers(l.Registers)
	}
}

// BankName names a bank of a sub-core in statistics.
func BankName(block string, b int) string { return fmt.Sprintf("%s.Bank[%d]", block, b) }

// BankNames are the names under which the banks within a sub-core are counted.
func BankNames(block string, banks int) []string {
	var out []string
	for b := range banks {
		out = append(out, BankName(block, b))
	}
	return out
}

// Latched is how many units the sub-cores of an SM have latches for, all together.
func Latched(env *regfile.Env, subCores int) int {
	units := 0
	for _, u := range env.Units {
		if u.Sched == regfile.Shared {
			units += subCores
		} else {
			units++
		}
	}
	return units
}

// Capacity is the registers of an SM's banks, in warp registers.
func Capacity(env *regfile.Env) int {
	if env.Capacity == 0 {
		return env.Warps * env.Registers
	}
	return env.Capacity
}
