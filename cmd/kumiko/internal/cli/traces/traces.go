package traces

import (
	"fmt"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/kernel/sass"
)

func Command(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "traces",
		Short: "Check traces",
		Args:  app.NoCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(tracesCheck(a))
	return c
}

func tracesCheck(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "check DIR",
		Short: "Say what Accel-Sim refuses in traces, or reads otherwise",
		Long: `Say what Accel-Sim would refuse in the traces of a folder, a kernel list or a file, what it would
read as something else, and which of its specialised units they need. Each is said once for a file,
with the line where it is first found. What Kumiko cannot read itself is unread: Accel-Sim may
read it or not.

It is judged ` + sass.PeerVersions() + `.

The exit status is 0 if nothing is refused, misread or unread, 1 if something is, and 2 if the
list of kernels cannot be read.`,
		Example: `  kumiko run bfs --size test --record rec
  kumiko traces check rec`,
		Args: app.Exactly("DIR"),
		RunE: func(c *cobra.Command, args []string) error {
			list, err := sass.Check(args[0])
			if err != nil {
				return err
			}
			n := map[sass.Severity]int{}
			for i := range list {
				n[list[i].Severity]++
				fmt.Fprintln(a.Text(), app.Quoted(list[i].String()))
			}
			fmt.Fprintf(a.Text(), "%d refused, %d misread, %d needed of the configuration, %d unread\njudged %s\n",
				n[sass.Refused], n[sass.Misread], n[sass.Needs], n[sass.Unread], sass.PeerVersions())
			if n[sass.Refused]+n[sass.Misread]+n[sass.Unread] > 0 {
				return app.WithStatus(app.CheckFailed, "the traces are not read by Accel-Sim as they are by Kumiko")
			}
			return nil
		},
	}
}
