package extras

import (
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"kumiko/cmd/kumiko/internal/cli"
)

// Man writes the help texts as man pages (kumiko man). To compile it takes a few seconds of processor time.
func Man(e *cli.Extras) { e.Man = writeMan }

// writeMan writes a man page of section 1 into a folder for each command.
func writeMan(root *cobra.Command, version, dir string) error {
	root.DisableAutoGenTag = true
	return doc.GenManTree(root, &doc.GenManHeader{Title: "KUMIKO", Section: "1", Source: "Kumiko " + version,
		Manual: "Kumiko", Date: revised()}, dir)
}

// revised returns the date of the program's revision; nil, which stands for the present, if it is not known.
func revised() *time.Time {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	for _, s := range info.Settings {
		if t, err := time.Parse(time.RFC3339, s.Value); s.Key == "vcs.time" && err == nil {
			return &t
		}
	}
	return nil
}
