package cli

import (
	"github.com/spf13/cobra"
	"kumiko/cmd/kumiko/internal/cli/app"
)

// whole returns the root command of a program without further commands.
func program(a *app.App) *cobra.Command { return root(a, nil) }
