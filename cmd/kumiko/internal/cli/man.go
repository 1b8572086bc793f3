package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
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
			if err := a.Man(c.Root(), a.Version, args[0]); err != nil {
				return fmt.Errorf("man pages: %w", err)
			}
			return nil
		},
	}
}
