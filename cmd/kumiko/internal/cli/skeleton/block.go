package skeleton

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/internal/nearest"
)

// blockKinds are the blocks to begin with: templates of their names.
var blockKinds = []string{"arbiter", "bank"}

func newBlockCommand(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "block NAME",
		Short: "Write a block with its test to begin with",
		Long: `Write a block of a register file to begin with, and a test that drives it through its ports and compares cycles. It
builds and passes as it is: an arbiter whose first input waits for nobody, or a bank with a latch for the entry used last.

Within a checkout of Kumiko the block becomes the folder components/NAME. With --module it becomes a Go module of its own in
the folder NAME, which refers to the checkout that --kumiko names. docs/test-one-block.md says what to test.`,
		Example: `  kumiko new block first-input
  kumiko new block latched --kind bank --module example.org/latched --kumiko ../kumiko`,
		Args: app.Exactly("NAME"),
	}
	d := target{}
	kind := c.Flags().String("kind", blockKinds[0], "what it is: "+strings.Join(blockKinds, ", "))
	c.Flags().StringVar(&d.Module, "module", "", "write a Go module of this path")
	c.Flags().StringVar(&d.checkout, "kumiko", here, "the checkout of Kumiko")
	c.RunE = func(_ *cobra.Command, args []string) error {
		d.Name = args[0]
		if !slices.Contains(blockKinds, *kind) {
			return fmt.Errorf("--kind %s: expected %s%s", *kind, strings.Join(blockKinds, " or "),
				nearest.Hint(*kind, blockKinds))
		}
		test, err := d.writeBlock(*kind)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(a.Stdout, "%s is written: the block, and its test. Next:\n\n%s\n", d.dir, indent(test))
		return err
	}
	return c
}

// writeBlock writes a block of a kind and returns the commands that test it.
func (d *target) writeBlock(kind string) (commands string, err error) {
	if err := d.check(); err != nil {
		return "", err
	}
	d.dir = d.Name
	if d.Module == "" {
		d.dir = filepath.Join(d.checkout, "components", d.Name)
	}
	if err := d.absent(); err != nil {
		return "", err
	}
	files := map[string][]byte{}
	for _, suffix := range []string{".go", "_test.go"} {
		if files[d.Package+suffix], err = expand("newblock/"+kind+suffix, d); err != nil {
			return "", err
		}
	}
	commands = "go test ./components/" + d.Name
	if d.checkout != "." {
		commands = fmt.Sprintf("cd %s\n%s", filepath.ToSlash(d.checkout), commands)
	}
	if d.Module != "" {
		commands = fmt.Sprintf("cd %s\ngo test ./...", d.Name)
		if err := d.addModule(files); err != nil {
			return "", err
		}
	}
	return commands, d.write(files)
}
