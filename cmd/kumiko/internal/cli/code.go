package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cuda"
	"kumiko/gpus"
	"kumiko/internal/infile"
	"kumiko/kernel/ir"
	"kumiko/kernel/ptx"
)

// isCode reports whether a program is a file of code by its name: PTX, or CUDA C++.
func isCode(name string) bool { return filepath.Ext(name) == ".ptx" || isCUDA(name) }

func isCUDA(name string) bool { return filepath.Ext(name) == ".cu" }

// code is a module read from a file.
type code struct {
	*ir.Module
	compiler string // of CUDA C++; empty for PTX
}

// readCode reads a .ptx file, or compiles a .cu file and reads the PTX. Warnings of the compiler go to notes.
func readCode(ctx context.Context, name string, lim ptx.Limits, notes io.Writer) (*code, error) {
	if !isCUDA(name) {
		m, err := parsePTX(name, lim)
		return &code{Module: m}, err
	}
	out, err := compileCUDA(ctx, name, &cuda.Options{}, notes)
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
	return &code{m, out.Compiler}, nil
}

// compileCUDA compiles a .cu file.
func compileCUDA(ctx context.Context, name string, o *cuda.Options, notes io.Writer) (*cuda.Output, error) {
	if _, err := infile.Read(name); err != nil {
		return nil, err
	}
	var out *cuda.Output
	err := inTemporary(ctx, func(dir string) (err error) {
		out, err = cuda.Compile(ctx, dir, name, o)
		return err
	})
	if err == nil && out.Warnings != "" {
		fmt.Fprintln(notes, out.Warnings)
	}
	return out, err
}

// inTemporary calls do with a new folder, and removes the folder. If the command is interrupted, the error is that of
// an interrupted simulation.
func inTemporary(ctx context.Context, do func(dir string) error) (err error) {
	dir, err := os.MkdirTemp("", "kumiko-")
	if err != nil {
		return err
	}
	temporaries.add(dir)
	defer func() {
		err = errors.Join(err, os.RemoveAll(dir))
		temporaries.remove(dir)
	}()
	if err := do(dir); err == nil || ctx.Err() == nil {
		return err
	}
	return gpus.ErrInterrupted
}

func (a *App) compileCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "compile FILE.cu",
		Short: "Compile CUDA C++ to PTX",
		Long: `Compile a file of CUDA C++ to PTX, by an installed clang and without a CUDA toolkit.

Only the device's part of the file is compiled. kumiko run FILE.cu does the same, and runs the result.
The compiler is the one that the environment variable CLANG names, or else the first of clang-19, clang-20, clang-21
and clang that is found.`,
		Example: `  kumiko compile saxpy.cu -o saxpy.ptx
  kumiko compile saxpy.cu -o saxpy.ptx -D BLOCK=256 -I include --arch sm_80`,
		Args: exactly("FILE.cu"),
	}
	var o cuda.Options
	var file string
	c.Flags().StringVarP(&file, "output", "o", "", "write the PTX to this file; without it, to standard output")
	c.Flags().StringVar(&o.Arch, "arch", cuda.DefaultArch, "architecture, sm_NN")
	c.Flags().StringArrayVarP(&o.Includes, "include", "I", nil, "look for #include files here too; repeatable")
	c.Flags().StringArrayVarP(&o.Defines, "define", "D", nil, "define a macro, NAME or NAME=VALUE; repeatable")
	c.RunE = func(c *cobra.Command, args []string) error {
		name := args[0]
		if !isCUDA(name) {
			return fmt.Errorf("found %q, expected a file ending in .cu", name)
		}
		if err := nameless(c, "output"); err != nil {
			return err
		}
		if file != "" {
			if err := a.compileTo(name, file); err != nil {
				return err
			}
		}
		out, err := compileCUDA(a.heed(c), name, &o, a.notes())
		if err != nil {
			return err
		}
		if file == "" {
			_, err := a.Stdout.Write(out.PTX)
			return err
		}
		return writeFile(file, func(w io.Writer) error {
			_, err := w.Write(out.PTX)
			return err
		})
	}
	return c
}

// compileTo refuses an output that cannot be written, or is the input.
func (a *App) compileTo(name, file string) error {
	o := &outputs{}
	o.reads(name, "the file to compile")
	o.file(file, "--output "+file)
	if err := o.check(); err != nil {
		return err
	}
	if err := place(file); err != nil {
		return fmt.Errorf("--output %s: %w", file, err)
	}
	return nil
}
