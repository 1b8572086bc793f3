package skeleton

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/config"
	"kumiko/internal/nearest"
	"kumiko/kernel/launch"
	"kumiko/study"
)

// schemas are the kinds of files that have a schema.
var schemas = map[string]func() map[string]any{"gpu": config.JSONSchema, "launch": launch.JSONSchema,
	"study": study.JSONSchema}

func newSchemaCommand(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "schema gpu|launch|study",
		Short: "Write the JSON schema of GPU files, launch files or studies, for an editor",
		Long: `Write the JSON schema of GPU files, of launch files or of studies. An editor that knows it completes keys, shows what each is, and marks
mistakes: taplo and the extensions made of it take "#:schema ./gpu.schema.json" as the first line of a file.

A file that satisfies the schema may still be refused, because the schema knows neither the names of designs and
benchmarks nor which settings depend on others.`,
		Example:   "  kumiko new schema gpu -o gpu.schema.json\n  kumiko new schema study -o study.schema.json",
		ValidArgs: []string{"gpu", "launch", "study"},
		Args:      app.Exactly("gpu|launch|study"),
	}
	var file string
	c.Flags().StringVarP(&file, "output", "o", "", "the file to write; without it, standard output")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := app.Nameless(c, "output"); err != nil {
			return err
		}
		of := schemas[args[0]]
		if of == nil {
			return fmt.Errorf("no schema %q; expected %s%s", args[0], strings.Join(c.ValidArgs, " or "),
				nearest.Hint(args[0], c.ValidArgs))
		}
		if file == "" {
			return app.WriteJSON(a.Stdout, of())
		}
		return app.WriteFile(file, func(w io.Writer) error { return app.WriteJSON(w, of()) })
	}
	return c
}
