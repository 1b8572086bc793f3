package study

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"kumiko/cmd/kumiko/internal/cli/app"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

//go:embed example.toml
var exampleStudy string

// studyNew returns the command that writes an example study.
func studyNew(a *app.App) *cobra.Command {
	var like likeFlags
	c := &cobra.Command{
		Use:   "new FILE",
		Short: "Write an example study with comments to a file",
		Long: `Write an example study with comments to a file. It runs as it is: two sweeps over a register file, three benchmarks.
The study has the name of the file.

With --like the study has the machines of a paper: its baseline and its designs, on a program of your own.`,
		Example: `  kumiko study new banks.toml
  kumiko study run banks.toml
  kumiko study report banks.toml -o banks.html
  kumiko study new mine.toml --like lab/studies/ltrf.toml --program saxpy.ptx --launch saxpy.toml`,
		Args: app.Exactly("FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			file := args[0]
			name, isTOML := strings.CutSuffix(filepath.Base(file), ".toml")
			if !isTOML || name == "" {
				return fmt.Errorf("found the file name %q, expected one ending in .toml", file)
			}
			if _, err := os.Lstat(file); err == nil {
				return fmt.Errorf("%s: a file is there already", file)
			}
			text := strings.NewReplacer("NAME", name, "FILE", file).Replace(exampleStudy)
			switch {
			case like.study != "":
				var err error
				if text, err = like.text(name, file); err != nil {
					return err
				}
			case like.program != "" || like.launch != "":
				return errors.New("found --program or --launch without --like, expected --like with a study whose " +
					"machines to take")
			}
			if err := app.WriteFile(file, func(w io.Writer) error {
				_, err := io.WriteString(w, text)
				return err
			}); err != nil {
				return err
			}
			fmt.Fprintf(a.Stdout, "%s is written; kumiko study run %s runs it\n", file, file)
			return nil
		},
	}
	c.Flags().StringVar(&like.study, "like", "", "study with the machines: a name or a TOML file with a list like")
	c.Flags().StringVar(&like.program, "program", "",
		"with --like: a .ptx or .cu file; without it, that study's programs")
	c.Flags().StringVar(&like.launch, "launch", "", "launch file of --program (default the file NAME.toml beside it)")
	return c
}
