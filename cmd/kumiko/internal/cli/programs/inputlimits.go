package programs

import (
	"fmt"

	"github.com/spf13/cobra"

	"kumiko/kernel/launch"
	"kumiko/kernel/sass"
)

// InputLimits are the flags for limits of inputs: PTX, launch files and traces.
type InputLimits struct {
	Launch launch.Limits
	Trace  sass.Limits
}

// each calls f with every flag: its name, a pointer to its value, its default, its maximum, and its help text.
func (l *InputLimits) each(f func(name string, at *int, value, most int, usage string)) {
	f("max-kernel-instructions", &l.Launch.PTX.Instructions, 1<<17, 1<<24,
		"instructions of a PTX kernel, with a copy of a function for each of its calls")
	f("max-launches", &l.Launch.Launches, 1<<20, 1<<30, "launches of a launch file, repeats counted")
	f("max-memory-bytes", &l.Launch.Bytes, 1<<32, 1<<40,
		"bytes of global memory of a launch file, and of the files that it reads")
	f("max-modules", &l.Launch.Modules, 64, 1<<16, "PTX files that a launch file names")
	f("max-trace-instructions", &l.Trace.Instructions, 1<<20, 1<<24, "different instructions in a trace")
	f("max-line-bytes", &l.Trace.LineBytes, 1<<20, 1<<31, "bytes of a line of a trace")
	f("max-block-bytes", &l.Trace.BlockBytes, 1<<31, 1<<40,
		"bytes of the text of a thread block, and of the header, of a .tracez file")
}

func (l *InputLimits) Add(c *cobra.Command) {
	l.each(func(name string, at *int, value, _ int, usage string) { c.Flags().IntVar(at, name, value, usage) })
}

func (l *InputLimits) Check() (err error) {
	l.each(func(name string, at *int, _, most int, _ string) {
		if err == nil && (*at < 1 || *at > most) {
			err = fmt.Errorf("--%s %d: expected 1 to %d", name, *at, most)
		}
	})
	return err
}

// InputLimitNames returns the names of these flags.
func InputLimitNames() (names []string) {
	var l InputLimits
	l.each(func(name string, _ *int, _, _ int, _ string) { names = append(names, name) })
	return names
}

// LaunchFileLimitNames are the names of the flags for launch files only.
var LaunchFileLimitNames = []string{"max-launches", "max-memory-bytes", "max-modules"}
