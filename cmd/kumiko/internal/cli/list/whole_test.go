package list

import (
	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
)

// whole returns a root command with the command list.
func program(a *app.App) *cobra.Command { return app.Root(a, Command(a)) }
