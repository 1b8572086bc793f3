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

	"kumiko/cmd/kumiko/internal/cli/app"
)

//go:embed newdesign/*.tmpl newblock/*.tmpl
var templates embed.FS

// target is where Go files to begin with are written: a folder of the checkout, or a module of its own.
type target struct {
	Name    string
	Package string // of Go
	Module  string // path; empty: within the checkout

	checkout, dir string
}

// here is the checkout without --kumiko.
const here = "."

var goName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// check refuses impossible names and checkouts, and sets the name of the package.
func (d *target) check() error {
	d.Package = strings.ReplaceAll(d.Name, "-", "")
	switch {
	case !goName.MatchString(d.Name):
		return fmt.Errorf("NAME: found %q, expected small letters and digits, in parts joined by -", d.Name)
	case token.IsKeyword(d.Package), d.Package == "main":
		return fmt.Errorf("NAME: found %q, which cannot be the name of a Go package", d.Name)
	}
	mod, err := os.ReadFile(filepath.Join(d.checkout, "go.mod"))
	if err != nil || !bytes.HasPrefix(mod, []byte("module "+app.ModulePath+"\n")) {
		if d.checkout == here {
			return errors.New("the working directory is no checkout of Kumiko (it has no go.mod of the module " +
				"kumiko): work in one, or name it with --kumiko DIR; with --module PATH too, the files go to a " +
				"module of their own, here, rather than into the checkout")
		}
		return fmt.Errorf("--kumiko %s: expected a checkout of Kumiko, with its go.mod", d.checkout)
	}
	return nil
}

// absent refuses a folder that exists.
func (d *target) absent() error {
	if _, err := os.Lstat(d.dir); err == nil {
		return fmt.Errorf("%s: a file or folder is there already", d.dir)
	}
	return nil
}

// addModule adds go.mod and go.sum to the files of a module outside.
func (d *target) addModule(out map[string][]byte) (err error) {
	if out["go.mod"], err = d.module(); err != nil {
		return err
	}
	out["go.sum"], err = os.ReadFile(filepath.Join(d.checkout, "go.sum"))
	return err
}

// write writes the folder.
func (d *target) write(files map[string][]byte) error {
	if err := writeTree(d.dir, files); err != nil {
		return err
	}
	if err := d.tidy(); err != nil {
		return errors.Join(err, os.RemoveAll(d.dir))
	}
	return nil
}

// expand returns the text of a template. Go text is formatted.
func expand(name string, data any) ([]byte, error) {
	text, err := templates.ReadFile(name + ".tmpl")
	if err != nil {
		return nil, err
	}
	t, err := template.New(name).Delims("[[", "]]").Parse(string(text))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, err
	}
	if strings.HasSuffix(name, ".go") {
		return gofmt.Source(b.Bytes())
	}
	return b.Bytes(), nil
}

// module returns the go.mod of a module outside: Kumiko's requirements, and Kumiko itself, from the checkout.
func (d *target) module() ([]byte, error) {
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
func (d *target) checkoutPath() (string, error) {
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
func (d *target) tidy() error {
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
