// Command table writes tables of lab/docs/validation/machine.md.
//
// Usage, from the top of the repository:
//
//	go run ./lab/wholemachine/table slices
//	go run ./lab/wholemachine/table [-size study] slots|memory [APPLICATION...]
//
// slices compares a slice of four SMs with the chip. slots and memory enlarge the GPU's slots and memories: slots
// for applications limited by scheduling slots, memory for applications limited by registers or shared memory.
package main

import (
	"flag"
	"fmt"
	"os"

	"kumiko/benchmarks"
	"kumiko/lab/wholemachine"
)

func main() {
	size := flag.String("size", "study", "size of the applications")
	flag.Parse()
	if err := run(*size, flag.Arg(0), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func run(sizeName, what string, args []string) error {
	size, err := benchmarks.ParseSize(sizeName)
	if err != nil {
		return err
	}
	or := func(all []string) []string {
		if len(args) > 1 {
			return args[1:]
		}
		return all
	}
	switch what {
	case "slices":
		return wholemachine.Slices(os.Stdout, wholemachine.SliceCases)
	case "slots":
		return wholemachine.Resources(os.Stdout, size, or(wholemachine.ScheduledBound))
	case "memory":
		return wholemachine.Resources(os.Stdout, size, or(wholemachine.MemoryBound))
	}
	return fmt.Errorf("%q: expected slices, slots or memory", what)
}
