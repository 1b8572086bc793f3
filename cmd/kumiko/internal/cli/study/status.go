package study

import (
	"fmt"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/study"
)

func studyStatus(a *app.App) *cobra.Command {
	c := &cobra.Command{Use: "status STUDY", Short: "Show which points of a study are done, missing or failed",
		Args: app.Exactly("STUDY")}
	var f studyFlags
	f.add(c)
	out := app.FormatFlag(c, "text", "json")
	c.RunE = func(_ *cobra.Command, args []string) error {
		ch, err := f.chooseReadOnly(a, args[0])
		if err != nil {
			return err
		}
		census, err := ch.spec.Census(ch.store, ch.points, a.Version)
		if err != nil {
			return err
		}
		if *out == "json" {
			return app.WriteJSON(a.Stdout, census)
		}
		statusText(a, ch, census)
		return nil
	}
	return c
}

// mostMissing is the maximum number of missing points listed.
const mostMissing = 10

func statusText(a *app.App, ch *chosen, c *study.Census) {
	w := a.Text()
	fmt.Fprintf(
		w,
		"study %s in %s: %d points, %d done, %d missing",
		ch.spec.Name,
		app.Quoted(ch.store.Dir()),
		c.Points,
		c.Done,
		len(c.Missing),
	)
	failed, refused := c.Split()
	listFailed(w, failed, refused)
	for i, m := range c.Missing {
		if i == mostMissing && len(c.Missing) > mostMissing+1 {
			fmt.Fprintf(w, "  missing: and %d others\n", len(c.Missing)-i)
			break
		}
		fmt.Fprintf(w, "  missing: %s\n", m)
	}
	if others := c.Others(); others != "" {
		fmt.Fprintf(w, "  %s (study run executes them again, unless --keep is given)\n", others)
	}
}
