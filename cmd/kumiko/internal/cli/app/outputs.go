package app

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"kumiko/kernel/sass"
)

// Outputs are the files and folders written by one command, each with its designation on the command line, and the
// files read by the command.
type Outputs struct {
	list   []output
	inputs []output
	Traces string // folder of a recording; the recording chooses the names of its files
}

type output struct {
	path string // as the file system knows it (canonical)
	what string
	dir  bool
}

// Incomplete is the folder, within that of a recording, of the launches of an incomplete run.
const Incomplete = "incomplete"

// File adds a written file. An existing pipe or device, such as /dev/null, is exempt: it accepts any number of
// writers.
func (o *Outputs) File(name, what string) {
	if info, err := os.Stat(name); name == "" || err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return
	}
	o.list = append(o.list, output{Canonical(name), what, false})
}

// Folder adds a folder for written files.
func (o *Outputs) Folder(name, what string) {
	o.list = append(o.list, output{Canonical(name), what, true})
}

// Reads adds an input file, if the name is not empty.
func (o *Outputs) Reads(name, what string) {
	if info, err := os.Stat(name); name != "" && err == nil && info.Mode().IsRegular() {
		o.inputs = append(o.inputs, output{Canonical(name), what, false})
	}
}

// Check refuses conflicts: two outputs under one name, a file used as a folder of another output, an output
// overwriting an input, and a file among the traces of a recording.
func (o *Outputs) Check() error {
	for i, a := range o.list {
		for _, b := range o.list[i+1:] {
			switch {
			case a.path == b.path && !(a.dir && b.dir):
				return fmt.Errorf("%s and %s: both are %s, expected different files", a.what, b.what, a.path)
			case !a.dir && liesIn(b.path, a.path), !b.dir && liesIn(a.path, b.path):
				return fmt.Errorf("%s and %s: a file cannot be in another, expected different places", a.what, b.what)
			}
		}
		for _, in := range o.inputs {
			if a.path == in.path {
				return fmt.Errorf("%s: is %s, which is read, expected another file", a.what, in.what)
			}
		}
		if o.Traces != "" && !a.dir && amongTraces(a.path, Canonical(o.Traces)) {
			return fmt.Errorf("%s: the recording writes or removes files of that name in %s, expected another place",
				a.what, o.Traces)
		}
	}
	return nil
}

// traceName matches the names of traces in a recording.
var traceName = regexp.MustCompile(`^kernel-[0-9]+\.trace[gz]$`)

// amongTraces reports whether a recording in a folder may write, replace or remove a file.
func amongTraces(file, dir string) bool {
	base := filepath.Base(file)
	return filepath.Dir(file) == dir && (base == sass.ListName || traceName.MatchString(base)) ||
		liesIn(file, filepath.Join(dir, Incomplete))
}

// liesIn reports whether a path is below another.
func liesIn(path, dir string) bool { return strings.HasPrefix(path, dir+string(filepath.Separator)) }

// Canonical returns the absolute path of a name. Links are resolved as far as the path exists.
func Canonical(name string) string {
	abs, err := filepath.Abs(name)
	if err != nil {
		return filepath.Clean(name)
	}
	rest := ""
	for at := abs; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		if at == filepath.Dir(at) {
			return abs
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}
