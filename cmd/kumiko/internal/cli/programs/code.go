package programs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/cuda"
	"kumiko/gpus/stop"
	"kumiko/internal/infile"
	"kumiko/kernel/ir"
	"kumiko/kernel/ptx"
)

// IsCode reports whether a program is a file of code by its name: PTX, CUDA C++, or machine code.
func IsCode(name string) bool {
	return filepath.Ext(name) == ".ptx" || IsCUDA(name) || IsMachineCode(name)
}

func IsCUDA(name string) bool { return filepath.Ext(name) == ".cu" }

// codeFile is a module read from a file.
type codeFile struct {
	*ir.Module
	compiler string // of CUDA C++; empty for PTX
}

// ReadCode reads a .ptx file or one of machine code, or compiles a .cu file and reads the PTX. Warnings of the compiler
// go to notes.
func ReadCode(ctx context.Context, name string, lim ptx.Limits, notes io.Writer) (*codeFile, error) {
	if IsMachineCode(name) {
		m, err := readMachineCode(name)
		return &codeFile{Module: m}, err
	}
	if !IsCUDA(name) {
		m, err := parsePTX(name, lim)
		return &codeFile{Module: m}, err
	}
	return readCUDA(ctx, name, &cuda.Options{}, lim, notes)
}

// Compile compiles a .cu file with macros, for the programs of a study.
func Compile(notes io.Writer) func(name string, defines []string) (*ir.Module, error) {
	return func(name string, defines []string) (*ir.Module, error) {
		c, err := readCUDA(context.Background(), name, &cuda.Options{Defines: defines}, ptx.Limits{}, notes)
		if err != nil {
			return nil, err
		}
		return c.Module, nil
	}
}

// readCUDA compiles a .cu file and reads the PTX.
func readCUDA(ctx context.Context, name string, o *cuda.Options, lim ptx.Limits, notes io.Writer) (*codeFile, error) {
	out, err := CompileCUDA(ctx, name, o, notes)
	if err != nil {
		return nil, err
	}
	// Errors in the PTX have the lines of what kumiko compile writes.
	m, err := ptx.ParseWithin(name+" (PTX)", out.PTX, ir.GlobalBase, lim)
	if err != nil {
		return nil, err
	}
	m.Source.Place = func(m *ir.Module) { out.Place(m, name) }
	m.Source.Place(m)
	return &codeFile{m, out.Compiler}, nil
}

// CompileCUDA compiles a .cu file.
func CompileCUDA(ctx context.Context, name string, o *cuda.Options, notes io.Writer) (*cuda.Output, error) {
	if _, err := infile.Read(name); err != nil {
		return nil, err
	}
	var out *cuda.Output
	err := InTemporary(ctx, func(dir string) (err error) {
		out, err = cuda.Compile(ctx, dir, name, o)
		return err
	})
	if err == nil && out.Warnings != "" {
		fmt.Fprintln(notes, out.Warnings)
	}
	return out, err
}

// InTemporary calls do with a new folder, and removes the folder. If the command is interrupted, the error is that of
// an interrupted simulation.
func InTemporary(ctx context.Context, do func(dir string) error) (err error) {
	dir, err := os.MkdirTemp("", "kumiko-")
	if err != nil {
		return err
	}
	app.Temporaries.Add(dir)
	defer func() {
		err = errors.Join(err, os.RemoveAll(dir))
		app.Temporaries.Remove(dir)
	}()
	if err := do(dir); err == nil || ctx.Err() == nil {
		return err
	}
	return stop.ErrInterrupted
}
