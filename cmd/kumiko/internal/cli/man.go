package cli

import (
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func (a *App) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the man pages",
		Long:  "Write a man page of section 1 for each command into a folder.",
		Example: `  kumiko man ~/.local/share/man/man1
  man kumiko-run`,
		Args: exactly("DIR"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root := c.Root()
			root.DisableAutoGenTag = true
			head := &doc.GenManHeader{Title: "KUMIKO", Section: "1", Source: "Kumiko " + a.Version,
				Manual: "Kumiko", Date: revised()}
			if err := doc.GenManTree(root, head, args[0]); err != nil {
				return fmt.Errorf("man pages: %w", err)
			}
			return nil
		},
	}
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
