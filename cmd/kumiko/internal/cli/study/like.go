package study

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kumiko/benchmarks"
	"kumiko/cmd/kumiko/internal/cli/programs"
	"kumiko/study"
)

// likeFlags ask for a study with the machines of another one.
type likeFlags struct{ study, program, launch string }

// text writes a study of the given name, to be stored in a file: the other study's baseline and designs
// on the user's program, or on that study's programs without one.
func (f *likeFlags) text(name, file string) (string, error) {
	s, err := study.Load(f.study)
	if err != nil {
		return "", fmt.Errorf("--like: %w", err)
	}
	if len(s.Like) == 0 {
		return "", fmt.Errorf("--like %s: found a study without a list like, expected one that names the "+
			"variants to take", f.study)
	}
	b := &strings.Builder{}
	fmt.Fprintf(b, "# The machines of %s.\n#\n#   kumiko study run %s\n#   kumiko study report %s -o %s.html\n\n",
		s.Title, file, file, name)
	fmt.Fprintf(
		b,
		"name    = %q\ntitle   = %q\nsize    = \"small\" # of built-in programs\n",
		name,
		name+": "+s.Title,
	)
	fmt.Fprintf(b, "waves   = %v # a point whose CTAs fill the machine fewer times is refused; 0: none is\n", s.Waves)
	fmt.Fprintf(b, "perturb = 3 # perturbed runs of each point, for the intervals\nset     = %s\n\n", array(s.Set))
	members := array(s.Groups[study.AllGroup])
	if f.program != "" {
		own, err := f.table(b, file)
		if err != nil {
			return "", err
		}
		members = array([]string{own})
	}
	fmt.Fprintf(b, "[groups]\nall = %s\n", members)
	for _, v := range s.Like {
		variant(b, s.Variant(v), s.Like)
	}
	return b.String(), nil
}

// table writes the table of the user's program and returns the program's name.
func (f *likeFlags) table(b *strings.Builder, file string) (name string, err error) {
	launch := f.launch
	if launch == "" {
		launch = strings.TrimSuffix(f.program, filepath.Ext(f.program)) + ".toml"
	}
	for flag, path := range map[string]string{"--program": f.program, "--launch": launch} {
		if _, err := os.Stat(path); err != nil {
			return "", fmt.Errorf("%s %s: found no such file; expected a .ptx or .cu file, and a launch file beside "+
				"it or given by --launch", flag, path)
		}
	}
	name = strings.TrimSuffix(filepath.Base(f.program), filepath.Ext(f.program))
	if benchmarks.Find(name) != nil {
		name = "my-" + name
	}
	key := "ptx   "
	if programs.IsCUDA(f.program) {
		key = "cuda  "
	}
	fmt.Fprintf(b, "[[program]]\nname   = %q\n%s = %q\nlaunch = %q\n\n", name, key, relativePath(file, f.program),
		relativePath(file, launch))
	return name, nil
}

// relativePath returns the path of a file as seen from the folder of another.
func relativePath(file, path string) string {
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return path
	}
	whole, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if short, err := filepath.Rel(dir, whole); err == nil {
		return filepath.ToSlash(short)
	}
	return whole
}

// variant writes a variant; all are the names of the variants written.
func variant(b *strings.Builder, v *study.Variant, all []string) {
	fmt.Fprintf(b, "\n[[variant]]\nname     = %q\ndoc      = %q\ngpu      = %q\n", v.Name, v.Doc, v.GPU)
	if v.Design != "" {
		fmt.Fprintf(b, "design   = %q\n", v.Design)
	}
	if len(v.Set) > 0 {
		fmt.Fprintf(b, "set      = %s\n", array(v.Set))
	}
	if slices.Contains(all, v.Baseline) {
		fmt.Fprintf(b, "baseline = %q\n", v.Baseline)
	}
}

// array writes texts as an array in TOML.
func array(texts []string) string {
	var out []string
	for _, t := range texts {
		out = append(out, strconv.Quote(t))
	}
	return "[" + strings.Join(out, ", ") + "]"
}
