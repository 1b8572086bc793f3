package energy

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"kumiko/internal/infile"
	"kumiko/internal/nearest"
)

//go:embed gebhart.toml ltrf.toml cerf.toml gpu.toml
var files embed.FS

// Names lists the built-in tables of which a run can be charged.
func Names() []string { return []string{"cerf", "gebhart", "gpu"} }

// named returns the built-in model of a name.
func named(name string) (Model, error) {
	switch name {
	case "cerf":
		return OfCERF(), nil
	case "gebhart":
		return OfGebhart(), nil
	case "gpu":
		t := OfGPU().Table
		t.name = name
		return &t, nil
	case "ltrf":
		return nil, fmt.Errorf("%q: %s has powers relative to a technology and no energies of accesses; expected one "+
			"of %s, or a file ending in .toml", name, OfLTRF().Source, strings.Join(Names(), ", "))
	}
	return nil, fmt.Errorf("found %q, expected one of %s, or a file ending in .toml%s", name,
		strings.Join(Names(), ", "), nearest.Hint(name, Names()))
}

// IsFile reports whether the name of a table is that of a file.
func IsFile(name string) bool { return strings.HasSuffix(name, ".toml") }

// Open returns the model of a built-in table, by its name, or of a file. Mistakes in a file are *tomldoc.Error,
// several of them joined.
func Open(name string) (Model, error) {
	if !IsFile(name) {
		return named(name)
	}
	data, err := infile.Read(name)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return Parse(filepath.Clean(name), data)
}

// Text returns the text of one of the tables: gebhart, ltrf, cerf or gpu.
func Text(name string) ([]byte, error) {
	data, err := files.ReadFile(name + ".toml")
	if err != nil {
		return nil, fmt.Errorf("no table of energies %q; expected gebhart, ltrf, cerf or gpu", name)
	}
	return data, nil
}

// decode reads a table, strictly.
func decode[T any](data []byte) (*T, error) {
	var out T
	d := toml.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&out); err != nil {
		return nil, err
	}
	return &out, nil
}

// builtin returns a table embedded in the program.
func builtin[T any](name string) *T {
	data, err := Text(name)
	if err != nil {
		panic(err)
	}
	out, err := decode[T](data)
	if err != nil {
		panic(fmt.Sprintf("%s.toml: %v", name, err))
	}
	return out
}
