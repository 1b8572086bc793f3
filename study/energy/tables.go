package energy

import (
	"bytes"
	"embed"
	"fmt"

	"github.com/pelletier/go-toml/v2"
)

//go:embed gebhart.toml ltrf.toml cerf.toml gpu.toml
var files embed.FS

// Table returns the text of one of the tables: gebhart, ltrf, cerf or gpu.
func Table(name string) ([]byte, error) {
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
	data, err := Table(name)
	if err != nil {
		panic(err)
	}
	out, err := decode[T](data)
	if err != nil {
		panic(fmt.Sprintf("%s.toml: %v", name, err))
	}
	return out
}
