package study

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed studies/*.toml
var own embed.FS

// builtin are the folders of built-in studies, each with files NAME.toml.
var builtin = []fs.FS{sub(own, "studies")}

// AddBuiltin adds the studies of another folder to the built-in ones. Call it in an init function, so that the list is
// complete before anyone reads it.
func AddBuiltin(folder fs.FS) { builtin = append(builtin, folder) }

// sub returns a folder within embedded files.
func sub(files fs.FS, name string) fs.FS {
	folder, err := fs.Sub(files, name)
	if err != nil {
		panic(err) // the name is a constant
	}
	return folder
}

// Names lists the built-in studies.
func Names() []string {
	var out []string
	for _, folder := range builtin {
		files, err := fs.Glob(folder, "*.toml")
		if err != nil {
			panic(err) // the pattern is a constant
		}
		for _, f := range files {
			out = append(out, strings.TrimSuffix(path.Base(f), ".toml"))
		}
	}
	slices.Sort(out)
	return out
}

// readBuiltin returns the file of a built-in study, and whether there is one with this name.
func readBuiltin(name string) (file string, data []byte, ok bool) {
	for _, folder := range builtin {
		if data, err := fs.ReadFile(folder, name+".toml"); err == nil && name != "" {
			return "studies/" + name + ".toml", data, true
		}
	}
	return "", nil, false
}
