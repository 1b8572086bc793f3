package study

import (
	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
)

// whole returns a root command with the command study.
func program(a *app.App) *cobra.Command { return app.Root(a, Command(a, nil)) }
