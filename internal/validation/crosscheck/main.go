// Crosscheck runs the reference launches and prints our cycles beside
// GPGPU-Sim's.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"

	"kumiko/internal/validation"
)

func main() {
	dir := flag.String("reference", "../shared/data/reference", "folder of results.json and sensitivity.json")
	only := flag.String("only", "", "run only launches whose name and configuration, as name/config, match this regular expression")
	flag.Parse()
	if err := run(*dir, *only); err != nil {
		fmt.Fprintln(os.Stderr, "crosscheck:", err)
		os.Exit(1)
	}
}

func run(dir, only string) error {
	re, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	entries, err := validation.References(dir)
	if err != nil {
		return err
	}
	for i := range entries {
		e := &entries[i]
		if !re.MatchString(e.Label() + "/" + e.Config) {
			continue
		}
		m, err := validation.Run(e)
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %s | %d | %d | %+.1f %% | %d %d | %d %d | %d %d |\n", m.Label(), m.Config, m.Cycles, m.Ours.Cycles, 100*m.Error(), m.CTAsPerSM, m.Ours.CTAsResidentMax, m.ThreadInsn, m.Ours.ThreadInstructions, m.WarpInsn, m.Ours.WarpInstructions)
	}
	return nil
}
