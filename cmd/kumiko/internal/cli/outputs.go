package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"kumiko/kernel/sass"
)

// outputs are the files and folders written by one command, each with its designation on the command line, and the
// files read by the command.
type outputs struct {
	list   []output
	inputs []output
	traces string // folder of a recording; the recording chooses the names of its files
}

type output struct {
	path string // as the file system knows it (canonical)
	what string
	dir  bool
}

// file adds a written file. An existing pipe or device, such as /dev/null, is exempt: it accepts any number of
// writers.
func (o *outputs) file(name, what string) {
	if info, err := os.Stat(name); name == "" || err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return
	}
	o.list = append(o.list, output{canonical(name), what, false})
}

// folder adds a folder for written files.
func (o *outputs) folder(name, what string) {
	o.list = append(o.list, output{canonical(name), what, true})
}

// reads adds an input file, if the name is not empty.
func (o *outputs) reads(name, what string) {
	if info, err := os.Stat(name); name != "" && err == nil && info.Mode().IsRegular() {
		o.inputs = append(o.inputs, output{canonical(name), what, false})
	}
}

// check refuses conflicts: two outputs under one name, a file used as a folder of another output, an output
// overwriting an input, and a file among the traces of a recording.
func (o *outputs) check() error {
	for i, a := range o.list {
		for _, b := range o.list[i+1:] {
			switch {
			case a.path == b.path && !(a.dir && b.dir):
				return fmt.Errorf("%s and %s: both are %s, expected different files", a.what, b.what, a.path)
			case !a.dir && within(b.path, a.path), !b.dir && within(a.path, b.path):
				return fmt.Errorf("%s and %s: a file cannot be in another, expected different places", a.what, b.what)
			}
		}
		for _, in := range o.inputs {
			if a.path == in.path {
				return fmt.Errorf("%s: is %s, which is read, expected another file", a.what, in.what)
			}
		}
		if o.traces != "" && !a.dir && amongTraces(a.path, canonical(o.traces)) {
			return fmt.Errorf("%s: the recording writes or removes files of that name in %s, expected another place",
				a.what, o.traces)
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
		within(file, filepath.Join(dir, incomplete))
}

// within reports whether a path is below another.
func within(path, dir string) bool { return strings.HasPrefix(path, dir+string(filepath.Separator)) }

// canonical returns the absolute path of a name. Links are resolved as far as the path exists.
func canonical(name string) string {
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
