package app

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/internal/nearest"
)

// Root returns the root command with its sub-commands.
func Root(a *App, commands ...*cobra.Command) *cobra.Command {
	root := &cobra.Command{
		Use:   "kumiko",
		Short: "Cycle-level GPU simulator",
		Long:  "Kumiko is a cycle-level GPU simulator with a detailed model of the register file.",
		Example: `  kumiko run sgemm
  kumiko study run quick
  kumiko run --help`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          NoCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.Version = a.Version
	root.SetVersionTemplate("kumiko {{.Version}}\n")
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(commands...)
	ownTopics(root)
	completed(root)
	helpful(root)
	return root
}

// ownTopics adds cobra's commands help and completion, with our errors for names that they do not know.
func ownTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			c.Short = "Write the script that completes names in a shell"
			c.Args = NoCommand
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		case "help":
			c.Args = func(_ *cobra.Command, args []string) error {
				if of, left, err := root.Find(args); err != nil {
					return NoCommand(root, args)
				} else if len(left) > 0 {
					return NoCommand(of, left)
				}
				return nil
			}
		}
	}
}

func NoCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, s := range c.Commands() {
		if s.IsAvailableCommand() {
			names = append(names, s.Name())
		}
	}
	return fmt.Errorf("unknown command %q; expected one of %s%s", args[0], strings.Join(names, ", "),
		nearest.Hint(args[0], names))
}
