package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"kumiko/study"
)

func (a *App) studyStatus() *cobra.Command {
	c := &cobra.Command{Use: "status STUDY", Short: "Show which points of a study are done, missing or failed",
		Args: exactly("STUDY")}
	var f studyFlags
	f.add(c)
	out := format(c, "text", "json")
	c.RunE = func(_ *cobra.Command, args []string) error {
		ch, err := f.look(a, args[0])
		if err != nil {
			return err
		}
		census, err := ch.spec.Census(ch.store, ch.points, a.Version)
		if err != nil {
			return err
		}
		if *out == "json" {
			return writeJSON(a.Stdout, census)
		}
		a.statusText(ch, census)
		return nil
	}
	return c
}

// mostMissing is the maximum number of missing points listed.
const mostMissing = 10

func (a *App) statusText(ch *chosen, c *study.Census) {
	w := a.text()
	fmt.Fprintf(w, "study %s in %s: %d points, %d done, %d missing", ch.spec.Name, quoted(ch.store.Dir()), c.Points,
		c.Done, len(c.Missing))
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
