package programs

import (
	"fmt"

	"github.com/spf13/cobra"

	"kumiko/kernel/emu"
	"kumiko/kernel/ir"
)

var ExecutionLimitNames = []string{"max-warp-instructions", "max-stack-bytes", "max-record-bytes", "max-resident-ctas",
	"max-resident-bytes"}

// ExecutionLimits are the flags for limits of functional execution.
type ExecutionLimits struct{ emu.Limits }

func (l *ExecutionLimits) Add(c *cobra.Command) {
	c.Flags().Uint64Var(&l.WarpInsts, "max-warp-instructions", 1<<25,
		"stop a launch of which a warp executes more instructions; a CTA is executed before it is simulated")
	c.Flags().IntVar(&l.StackBytes, "max-stack-bytes", 16<<10,
		"bytes of stack per thread, for functions that call themselves and for alloca")
	c.Flags().IntVar(&l.RecordBytes, "max-record-bytes", 1<<30,
		"stop a launch of whose CTAs under way more bytes of instructions are recorded")
	c.Flags().IntVar(&l.ResidentCTAs, "max-resident-ctas", 512,
		"CTAs that may be under way, where the first of them wait for later ones")
	c.Flags().IntVar(&l.ResidentBytes, "max-resident-bytes", 4<<30, "bytes of registers and memory of these CTAs")
}

func (l *ExecutionLimits) Check() error {
	if l.WarpInsts < 1 {
		return fmt.Errorf("--max-warp-instructions 0: expected at least 1")
	}
	for _, f := range []struct {
		name   string
		v, max int
	}{
		{"max-stack-bytes", l.StackBytes, ir.MaxLocalBytes}, {"max-record-bytes", l.RecordBytes, 1 << 40},
		{"max-resident-ctas", l.ResidentCTAs, 1 << 20}, {"max-resident-bytes", l.ResidentBytes, 1 << 40},
	} {
		if f.v < 1 || f.v > f.max {
			return fmt.Errorf("--%s %d: expected 1 to %d", f.name, f.v, f.max)
		}
	}
	return nil
}
