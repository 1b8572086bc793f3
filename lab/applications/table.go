//go:build unix

package main

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

//go:embed *.toml
var tables embed.FS

// program is an entry of a table.
type program struct {
	suite string
	Name  string
	// Folder has the program, in the folder of its suite. Commands run in a copy of it.
	Folder string
	// Uncounted is of an entry that does not count, and says what it shows: most have Edits that are not for sizes.
	Uncounted string
	// Stopped says why a program is not tried. Nothing else counts then.
	Stopped string
	// Edits change sizes in source files: file, regular expression, and the new text.
	Edits [][3]string
	// Inputs are files to make: the kind of the file, its name and the arguments of the kind.
	Inputs [][]string
	// Build and Run are scripts of the shell. $NVCC is kumiko nvcc, $TOOLKIT the folder that stands for a toolkit,
	// $SUITE the folder of the suite.
	Build, Run string
	// CPU builds and runs the suite's program for the CPU.
	CPU string
	// Fixed has time() return one value, for programs that seed random numbers with it.
	Fixed bool
	// Expect is a regular expression for the output, Refuse one that must not be in it.
	Expect, Refuse string
	// Compare are files with equal numbers, of both programs.
	Compare []comparison
	// Check is a computation here, on the files of the program's folder.
	Check string
	// Study is the program as the studies of the papers run it; nil: they do not.
	Study *studied
}

// studied has what differs in a program that a study runs: its inputs are of a size that fills an SM several times.
type studied struct {
	Edits      [][3]string
	Inputs     [][]string
	Build, Run string // empty: the same
}

// forStudy returns the program as a study runs it.
func (p *program) forStudy() *program {
	q, s := *p, p.Study
	q.Inputs, q.Edits = append(slices.Clone(p.Inputs), s.Inputs...), append(slices.Clone(p.Edits), s.Edits...)
	q.Build, q.Run = cmp.Or(s.Build, p.Build), cmp.Or(s.Run, p.Run)
	return &q
}

// comparison compares the numbers of two files.
type comparison struct {
	Ours, Theirs string
	Format       string  // "text": all numbers in it; "f32", "u16", "u8": binary; "lines": those of Lines
	Lines        string  // regular expression for the lines of a text that count
	Tolerance    float64 // relative to the larger of both
	Absolute     float64
}

// programs returns all entries, by suite in the order of files.
func programs() (all []*program, err error) {
	files, err := fs.Glob(tables, "*.toml")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := tables.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var t struct{ Program []*program }
		d := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields()
		if err := d.Decode(&t); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, p := range t.Program {
			p.suite = strings.TrimSuffix(path.Base(file), ".toml")
			if err := p.check(); err != nil {
				return nil, fmt.Errorf("%s: program %s: %w", file, p.Name, err)
			}
		}
		all = append(all, t.Program...)
	}
	return all, nil
}

// check refuses an entry without anything that could show that a program is wrong.
func (p *program) check() error {
	if p.Name == "" || p.Folder == "" {
		return fmt.Errorf("found no name or no folder")
	}
	if p.Stopped == "" && p.Expect == "" && p.Check == "" && (p.CPU == "" || len(p.Compare) == 0) {
		return fmt.Errorf("found nothing to check its results by, expected expect, check, or cpu with compare")
	}
	if p.Check != "" && checks[p.Check] == nil {
		return fmt.Errorf("found the check %q, which is not there", p.Check)
	}
	all := p.Inputs
	if p.Study != nil {
		all = p.forStudy().Inputs
	}
	for _, in := range all {
		if len(in) < 2 || inputs[in[0]] == nil {
			return fmt.Errorf("found the input %q, expected a kind, a file and arguments", in)
		}
	}
	return nil
}

// named reports whether an argument names the program.
func (p *program) named(arg string) bool {
	return arg == p.Name || arg == p.suite || arg == p.suite+"/"+p.Name
}
