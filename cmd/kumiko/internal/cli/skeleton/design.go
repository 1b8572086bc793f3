package skeleton

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	gofmt "go/format"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/config"
	"kumiko/regfile"
)

//go:embed newdesign/*.tmpl
var designTemplates embed.FS

func Command(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "new",
		Short: "Write files to begin with",
		Args:  app.NoCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newDesignCommand(a), newLaunchCommand(a), newGPUCommand(a), newSchemaCommand(a))
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
	c.Flags().StringVar(&d.checkout, "kumiko", ".", "the checkout of Kumiko")
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
		if err := writeTree(d.dir, files); err != nil {
			return err
		}
		if err := d.tidy(); err != nil {
			return errors.Join(err, os.RemoveAll(d.dir))
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
	Name     string // of the kind and the preset
	Package  string // of the Go package
	Module   string // path; empty: within the checkout
	Study    string // path of the study from where the program is called
	Commands string // to try the design

	checkout, dir string
}

var designName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// check refuses impossible names, and existing folders.
func (d *newDesign) check() error {
	d.Package = strings.ReplaceAll(d.Name, "-", "")
	switch {
	case !designName.MatchString(d.Name):
		return fmt.Errorf("NAME: found %q, expected small letters and digits, in parts joined by -", d.Name)
	case token.IsKeyword(d.Package), d.Package == "main":
		return fmt.Errorf("NAME: found %q, which cannot be the name of a Go package", d.Name)
	case slices.Contains(regfile.Names(), d.Name), slices.Contains(config.DesignNames(), d.Name):
		return fmt.Errorf("NAME: found %q, which is a design already (kumiko list designs)", d.Name)
	}
	mod, err := os.ReadFile(filepath.Join(d.checkout, "go.mod"))
	if err != nil || !bytes.HasPrefix(mod, []byte("module "+app.ModulePath+"\n")) {
		return fmt.Errorf("--kumiko %s: expected a checkout of Kumiko, with its go.mod", d.checkout)
	}
	if d.dir == "" {
		if d.dir = d.Name; d.Module == "" {
			d.dir = filepath.Join(d.checkout, "regfile", d.Name)
		}
	}
	if d.Module != "" {
		if _, err := os.Lstat(d.dir); err == nil {
			return fmt.Errorf("%s: a file or folder is there already", d.dir)
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
	if _, err := os.Lstat(d.dir); err == nil {
		return fmt.Errorf("%s: a file or folder is there already", d.dir)
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
	if out["go.mod"], err = d.module(); err != nil {
		return nil, err
	}
	if out["go.sum"], err = os.ReadFile(filepath.Join(d.checkout, "go.sum")); err != nil {
		return nil, err
	}
	out["default.pgo"], err = os.ReadFile(filepath.Join(d.checkout, "cmd", "kumiko", "default.pgo"))
	return out, err
}

// expand returns the text of a template. Go text is formatted.
func (d *newDesign) expand(name string) ([]byte, error) {
	text, err := designTemplates.ReadFile("newdesign/" + name + ".tmpl")
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(name, ".toml") { // TOML has its own use of [[
		return []byte(strings.NewReplacer("[[.Name]]", d.Name, "[[.Study]]", d.Study).Replace(string(text))), nil
	}
	t, err := template.New(name).Delims("[[", "]]").Parse(string(text))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, d); err != nil {
		return nil, err
	}
	if strings.HasSuffix(name, ".go") {
		return gofmt.Source(b.Bytes())
	}
	return b.Bytes(), nil
}

// module returns the go.mod of a module outside: Kumiko's requirements, and Kumiko itself, from the checkout.
func (d *newDesign) module() ([]byte, error) {
	mod, err := os.ReadFile(filepath.Join(d.checkout, "go.mod"))
	if err != nil {
		return nil, err
	}
	root, err := d.checkoutPath()
	if err != nil {
		return nil, err
	}
	text := strings.Replace(string(mod), "module "+app.ModulePath+"\n", "module "+d.Module+"\n", 1)
	if i := strings.Index(text, "\ntool ("); i >= 0 {
		text = text[:i]
	}
	if strings.ContainsAny(root, " \t\"'`()[]{},;") {
		root = strconv.Quote(root)
	}
	text += fmt.Sprintf("\nrequire %[1]s v0.0.0\n\n// Kumiko is not on a module proxy: this is the checkout.\n"+
		"replace %[1]s => %[2]s\n", app.ModulePath, root)
	return []byte(text), nil
}

// checkoutPath returns the path of the checkout as seen from the module's folder.
func (d *newDesign) checkoutPath() (string, error) {
	root, err := filepath.Abs(d.checkout)
	if err != nil {
		return "", err
	}
	dir, err := filepath.Abs(d.dir)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(dir, root)
	if err != nil {
		return root, nil // on another volume
	}
	return filepath.ToSlash(rel), nil
}

// tidy removes the requirements of Kumiko that no package of the module, and no test of its own, needs. Where the go
// command cannot list these, all requirements stay.
func (d *newDesign) tidy() error {
	if d.Module == "" {
		return nil
	}
	c := exec.Command("go", "list", "-deps", "-test", "-f", "{{with .Module}}{{.Path}}{{end}}", "./...")
	c.Dir = d.dir
	c.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod")
	out, err := c.Output()
	if err != nil {
		return nil
	}
	file := filepath.Join(d.dir, "go.mod")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return app.WriteBytes(file, required(text, strings.Fields(string(out))))
}

// required returns a go.mod without the requirements of other modules than the listed ones.
func required(mod []byte, modules []string) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(mod) {
		words := strings.Fields(string(line))
		if line[0] == '\t' && len(words) > 1 && !slices.Contains(modules, words[0]) {
			continue
		}
		out.Write(line)
	}
	return out.Bytes()
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

// writeTree writes a new folder with all its files, or nothing.
func writeTree(dir string, files map[string][]byte) (err error) {
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(parent, ".new-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(tmp))
		}
	}()
	for name, text := range files {
		file := filepath.Join(tmp, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o666); err != nil {
			return err
		}
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	return os.Rename(tmp, dir)
}

func indent(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }
