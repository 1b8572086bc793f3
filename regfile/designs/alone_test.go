package designs_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kumiko/gpus/config"
	"kumiko/regfile"
)

// base is the kind underneath others. It is no design in this sense: any package may import it.
const base = "conventional"

// source is a Go file of the module, tests excluded.
type source struct {
	path string // from the module's root
	file *ast.File
}

// sources parses the Go files of the module, tests apart.
func sources(t *testing.T) []source {
	t.Helper()
	const root = "../.."
	var out []source
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		rel, relErr := filepath.Rel(root, path)
		out = append(out, source{filepath.ToSlash(rel), f})
		return errors.Join(err, relErr)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 300 {
		t.Fatalf("only %d files found", len(out))
	}
	return out
}

// triesDesigns reports whether a file is outside the simulator, where designs are compared and tried by their names.
func triesDesigns(path string) bool {
	return strings.HasPrefix(path, "lab/") || strings.HasPrefix(path, "tools/random/")
}

// designs are the kinds of register file but for the base.
func designs() []string {
	return slices.DeleteFunc(regfile.Names(), func(n string) bool { return n == base })
}

// A design is one folder: only package designs, which links all designs in, imports it.
func TestNoPackageImportsADesign(t *testing.T) {
	imports := 0
	for _, s := range sources(t) {
		for _, i := range s.file.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			imports++
			for _, d := range designs() {
				own := "kumiko/regfile/" + d
				if (path == own || strings.HasPrefix(path, own+"/")) &&
					!strings.HasPrefix(s.path, "regfile/"+d+"/") &&
					!strings.HasPrefix(s.path, "regfile/designs/") {
					t.Errorf("%s imports %s", s.path, path)
				}
			}
		}
	}
	if imports < 1000 {
		t.Errorf("only %d imports were looked at", imports)
	}
}

// word is a name of a design that means something else in some folders or files.
type word struct {
	name  string
	means string
	in    []string
}

// words are the names of designs that other packages use for something else. Any other use of a design's name is an
// error.
var words = []word{
	{"two-level", "the policy of the scheduler, of which a preset has the name", []string{"sm/sched/",
		"gpus/energy/gebhartrun.go", "cmd/kumiko/internal/gpgpusim/"}},
	{"unified", "an organisation of on-chip memory; a directive of PTX", []string{"gpus/config/onchip.go",
		"kernel/ptx/", "cmd/kumiko/internal/gpgpusim/"}},
	{"virtual-thread", "a way of switching CTAs, of which a preset has the name", []string{"sm/switching/"}},
	{"regmutex", "the compiler's analysis of base and extended sets", []string{"cmd/kumiko/internal/cli/inspect/"}},
	{"compressed", "a line of the listings of cuobjdump", []string{"kernel/cuasm/"}},
	{"cerf", "a table of energies, and the paper of programs", []string{"gpus/energy/", "benchmarks/",
		"cmd/kumiko/internal/cli/list/"}},
	{"finereg", "the paper of programs", []string{"benchmarks/", "cmd/kumiko/internal/cli/list/"}},
	{
		"ltrf",
		"a table of energies, and the paper of programs",
		[]string{"gpus/energy/", "benchmarks/", "cmd/kumiko/internal/cli/list/"},
	},
	{"sharing", "the paper of programs", []string{"benchmarks/", "cmd/kumiko/internal/cli/list/"}},
}

// meansAnother reports whether a name of a design means something else in a file.
func meansAnother(name, path string) bool {
	return slices.ContainsFunc(words, func(w word) bool {
		return w.name == name &&
			slices.ContainsFunc(w.in, func(in string) bool { return strings.HasPrefix(path, in) })
	})
}

// Nothing else has the name of a preset, of a kind, or of a setting or a statistic of a kind in its strings. Names of
// GPUs do not count, since some GPUs have the names of the register files made for them. The laboratory, and random
// kernels on every design, are no part of the simulator.
func TestNoPackageNamesADesign(t *testing.T) {
	presets := slices.DeleteFunc(append(config.DesignNames(), designs()...), func(n string) bool {
		return n == base || slices.Contains(config.Names(), n)
	})
	literals, other := 0, map[string]bool{}
	for _, s := range sources(t) {
		own := ownDesign(s.path)
		ast.Inspect(s.file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatalf("%s: %s: %v", s.path, lit.Value, err)
			}
			literals++
			named := own == "" && slices.Contains(presets, text)
			if named && meansAnother(text, s.path) {
				named, other[text] = false, true
			}
			for _, d := range designs() {
				named = named || d != own && (strings.Contains(text, "regfile."+d) ||
					strings.Contains(text, "regfile/"+d))
			}
			if named && !strings.HasPrefix(s.path, "regfile/designs/") && !triesDesigns(s.path) {
				t.Errorf("%s names a design: %q", s.path, text)
			}
			return true
		})
	}
	if len(presets) < 8 || literals < 5000 {
		t.Errorf("only %d names were looked for in %d strings", len(presets), literals)
	}
	for _, w := range words {
		if !other[w.name] {
			t.Errorf("%s is used nowhere for %s", w.name, w.means)
		}
	}
}

// ownDesign returns the design whose folder contains a file; "" for none.
func ownDesign(path string) string {
	for _, d := range designs() {
		if strings.HasPrefix(path, "regfile/"+d+"/") {
			return d
		}
	}
	return ""
}
