// Program pack makes the machine code of lab/silicon/published again, from the root of the project, by NVIDIA's ptxas
// and nvdisasm (package kernel/cubin/tools).
//
//	go run ./lab/silicon/published/pack
package main

import (
	"fmt"
	"os"

	"kumiko/kernel/cubin/tools"
	"kumiko/lab/silicon/published"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run() error {
	t, err := tools.Find()
	if err != nil {
		return err
	}
	z, err := published.Pack(t)
	if err != nil {
		return err
	}
	return os.WriteFile("lab/silicon/published/code.zip", z, 0o644)
}
