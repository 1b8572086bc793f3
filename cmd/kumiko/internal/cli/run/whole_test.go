package run

import (
	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
)

// whole returns a root command with the command run.
func program(a *app.App) *cobra.Command { return app.Root(a, Command(a)) }
