package skeleton

import (
	"bytes"
	"errors"
	"fmt"
	gofmt "go/format"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/config"
	"kumiko/regfile"
)

func Command(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "new",
		Short: "Write files to begin with",
		Args:  app.NoCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newDesignCommand(a), newBlockCommand(a), newLaunchCommand(a), newGPUCommand(a), newSchemaCommand(a))
	return c
}

func newDesignCommand(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "design NAME",
		Short: "Write a register-file design to begin with",
		Long: `Write a register-file design to begin with: a block with its settings, statistics and tests, the contract test of
register files, a preset and a study. It builds and passes its tests as it is.

Within a checkout of Kumiko the design becomes the folder regfile/NAME, and one line of regfile/designs/designs.go.
With --module it becomes a Go module of its own in the folder NAME, whose program is kumiko with this design; the module
refers to the checkout that --kumiko names.`,
		Example: `  kumiko new design windowed
  kumiko new design windowed --module example.org/windowed --kumiko ../kumiko`,
		Args: app.Exactly("NAME"),
	}
	d := newDesign{}
	c.Flags().StringVar(&d.Module, "module", "", "write a Go module of this path")
	c.Flags().StringVar(&d.checkout, "kumiko", here, "the checkout of Kumiko")
	c.Flags().StringVar(&d.dir, "dir", "", "the folder to write; without it regfile/NAME, or NAME with --module")
	c.RunE = func(_ *cobra.Command, args []string) error {
		d.Name = args[0]
		if err := d.check(); err != nil {
			return err
		}
		files, err := d.files()
		if err != nil {
			return err
		}
		linked, err := d.linked()
		if err != nil {
			return err
		}
		if err := d.write(files); err != nil {
			return err
		}
		if linked != nil {
			if err := app.WriteBytes(d.list(), linked); err != nil {
				return errors.Join(err, os.RemoveAll(d.dir))
			}
		}
		fmt.Fprintf(a.Stdout, "%s is written: %d files. Next:\n\n%s\n", d.dir, len(files), indent(d.Commands))
		return nil
	}
	return c
}

// newDesign is the data for the templates of a design.
type newDesign struct {
	target          // the name is that of the kind and the preset
	Study    string // path of the study from where the program is called
	Commands string // to try the design
}

// check refuses impossible names, and existing folders.
func (d *newDesign) check() error {
	if slices.Contains(regfile.Names(), d.Name) || slices.Contains(config.DesignNames(), d.Name) {
		return fmt.Errorf("NAME: found %q, which is a design already (kumiko list designs)", d.Name)
	}
	if err := d.target.check(); err != nil {
		return err
	}
	if d.dir == "" {
		if d.dir = d.Name; d.Module == "" {
			d.dir = filepath.Join(d.checkout, "regfile", d.Name)
		}
	}
	if d.Module != "" {
		if err := d.absent(); err != nil {
			return err
		}
		d.Study = d.Package + "/study.toml"
		d.Commands = fmt.Sprintf("cd %s\ngo build -o bin/kumiko .\ngo test ./...\n"+
			"bin/kumiko run sgemm --size test --design %s --check\nbin/kumiko study run %s", filepath.ToSlash(d.dir),
			d.Name, d.Study)
		return nil
	}
	return d.checkInside()
}

// checkInside checks the folder of a design within the checkout.
func (d *newDesign) checkInside() error {
	rel, err := filepath.Rel(filepath.Join(d.checkout, "regfile"), d.dir)
	if err != nil || rel != filepath.Base(d.dir) || rel == "." || rel == ".." {
		return fmt.Errorf("--dir %s: expected a folder in %s; with --module any other", d.dir,
			filepath.Join(d.checkout, "regfile"))
	}
	if err := d.absent(); err != nil {
		return err
	}
	folder := "regfile/" + rel
	d.Study = folder + "/study.toml"
	d.Commands = fmt.Sprintf("make build\ngo test ./%[1]s\nbin/kumiko run sgemm --size test --design %[2]s --check\n"+
		"bin/kumiko study run %[3]s", folder, d.Name, d.Study)
	return nil
}

// files returns the texts to write, by path within the folder.
func (d *newDesign) files() (map[string][]byte, error) {
	names := map[string]string{"doc.go": "doc.go", "spec.go": "spec.go", "file.go": "file.go", "block.go": "block.go",
		"block_test.go": "block_test.go", "preset.toml": d.Name + ".toml", "study.toml": "study.toml",
		"readme.md": "README.md"}
	out := map[string][]byte{}
	for from, to := range names {
		text, err := d.expand(from)
		if err != nil {
			return nil, err
		}
		if d.Module != "" {
			to = filepath.Join(d.Package, to)
		}
		out[to] = text
	}
	if d.Module == "" {
		return out, nil
	}
	var err error
	if out["main.go"], err = d.expand("main.go"); err != nil {
		return nil, err
	}
	if err := d.addModule(out); err != nil {
		return nil, err
	}
	out["default.pgo"], err = os.ReadFile(filepath.Join(d.checkout, "cmd", "kumiko", "default.pgo"))
	return out, err
}

// expand returns the text of a template.
func (d *newDesign) expand(name string) ([]byte, error) {
	if strings.HasSuffix(name, ".toml") { // TOML has its own use of [[
		text, err := templates.ReadFile("newdesign/" + name + ".tmpl")
		return []byte(strings.NewReplacer("[[.Name]]", d.Name, "[[.Study]]", d.Study).Replace(string(text))), err
	}
	return expand("newdesign/"+name, d)
}

// list returns the file that lists the designs of the program.
func (d *newDesign) list() string {
	return filepath.Join(d.checkout, "regfile", "designs", "designs.go")
}

// linked returns the list extended by the design; nil for a module outside, which links the design itself.
func (d *newDesign) linked() ([]byte, error) {
	if d.Module != "" {
		return nil, nil
	}
	text, err := os.ReadFile(d.list())
	if err != nil {
		return nil, err
	}
	line := fmt.Sprintf("\t_ %q // the same, with a block that counts repeated reads\n",
		app.ModulePath+"/regfile/"+filepath.Base(d.dir))
	i := bytes.LastIndex(text, []byte("\n)"))
	if i < 0 {
		return nil, fmt.Errorf("%s: no import declaration in parentheses; add %s", d.list(), strings.TrimSpace(line))
	}
	return gofmt.Source(slices.Concat(text[:i+1], []byte(line), text[i+1:]))
}

func indent(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }
