package study

import (
	"errors"
	"fmt"
	"path/filepath"

	"kumiko/internal/infile"
	"kumiko/kernel/ir"
	"kumiko/kernel/ptx"
)

// Compiler compiles a file of CUDA C++, with macros of the form NAME or NAME=VALUE.
type Compiler func(file string, defines []string) (*ir.Module, error)

// compiler compiles the programs of studies; nil: there is none.
var compiler Compiler

// CompileBy sets the compiler of programs in CUDA C++. It is called before studies are read: the compiler belongs to
// the program that reads them, since it is another program that may not be installed.
func CompileBy(c Compiler) { compiler = c }

// module reads the code of a program.
func (s *Spec) module(p *Program) (*ir.Module, error) {
	if p.CUDA != "" {
		if compiler == nil {
			return nil, errors.New("found a file of CUDA C++, and no compiler; kumiko compile makes PTX of it")
		}
		return compiler(s.resolvePath(p.CUDA), p.Defines)
	}
	source := s.resolvePath(p.PTX)
	if filepath.Ext(source) == ".cu" {
		return nil, fmt.Errorf("ptx: found a file of CUDA C++, expected PTX; remedy: cuda = %q", p.PTX)
	}
	text, err := infile.Read(source)
	if err != nil {
		return nil, err
	}
	return ptx.Parse(source, text)
}
