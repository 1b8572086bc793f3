package cli

import (
	"fmt"
	"kumiko/cmd/kumiko/internal/cli/app"

	"github.com/spf13/cobra"
)

func manCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the man pages",
		Long:  "Write a man page of section 1 for each command into a folder.",
		Example: `  kumiko man ~/.local/share/man/man1
  man kumiko-run`,
		Args: app.Exactly("DIR"),
		RunE: func(c *cobra.Command, args []string) error {
			err := app.IntoFolder(args[0], func(dir string) error { return a.Man(c.Root(), a.Version, dir) })
			if err != nil {
				return fmt.Errorf("man pages: %w", err)
			}
			return nil
		},
	}
}
