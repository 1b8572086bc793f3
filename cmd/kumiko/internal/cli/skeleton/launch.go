package skeleton

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/cli/programs"
	"kumiko/cmd/kumiko/internal/cuda"
	"kumiko/kernel/ir"
	"kumiko/kernel/launch"
	"kumiko/kernel/ptx"
)

func newLaunchCommand(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "launch FILE.ptx|FILE.cu",
		Short: "Write a launch file to fill in",
		Long: `Write a launch file to fill in: a launch of every kernel of a file of code (.ptx, .cu, .cubin, .sass), with each
parameter named and typed, and a buffer for each pointer. A question mark stands for what only the user knows: sizes, numbers, and, where the file does
not tell, types.

The names and types of the parameters are those of the .cu file. Of PTX they are those of its directives, and the types of
a mangled name. Machine code has their sizes alone.`,
		Example: `  kumiko new launch saxpy.cu
  kumiko new launch saxpy.ptx --kernel saxpy -o launch.toml`,
		Args: app.Exactly("FILE"),
	}
	var kernel, file string
	c.Flags().StringVar(&kernel, "kernel", "", "for this kernel only; its name as in PTX, or as C++ declares it")
	c.Flags().StringVarP(&file, "output", "o", "", "the file to write; without it, FILE.toml in the present folder")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := app.Nameless(c, "output"); err != nil {
			return err
		}
		return newLaunch(a.Heed(c), a, args[0], kernel, file)
	}
	return c
}

// newLaunch writes a launch file for the kernels of a program, or for the named one.
func newLaunch(ctx context.Context, a *app.App, program, kernel, file string) error {
	if !programs.IsCode(program) {
		return fmt.Errorf("found %q, expected a file ending in %s", program, programs.CodeFiles)
	}
	if file == "" {
		file = strings.TrimSuffix(filepath.Base(program), filepath.Ext(program)) + ".toml"
	}
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s: a file is there already", file)
	}
	m, err := programs.ReadCode(ctx, program, ptx.Limits{}, a.Notes())
	if err != nil {
		return err
	}
	kernels, err := kernelsToLaunch(m.Module, kernel, a.Notes())
	if err != nil {
		return err
	}
	s := skeleton{program: program, file: file, kernels: kernels, constants: m.Module.Vars}
	if programs.IsCUDA(program) {
		if s.params, err = paramsOf(ctx, program); err != nil {
			return err
		}
	}
	text := s.text()
	if err := app.WriteFile(file, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.Text(), "%s is written; fill in the question marks, then\n\n  kumiko run %s --launch %s\n",
		file, program, file)
	return err
}

// kernelsToLaunch returns all kernels of a module, or the named one. A refused kernel among all of them is noted.
func kernelsToLaunch(m *ir.Module, name string, notes io.Writer) ([]*ir.Kernel, error) {
	var out []*ir.Kernel
	for _, k := range m.Kernels {
		if name == "" || launch.Named(k.Name, name) {
			out = append(out, k)
		}
	}
	for _, r := range m.Refused {
		if name == "" {
			fmt.Fprintf(notes, "note: %s is left out:\n%v\n", r.Kernel, r.Err)
		} else if launch.Named(r.Kernel, name) {
			return nil, r.Err
		}
	}
	switch {
	case len(out) > 0:
		return out, nil
	case name != "":
		return nil, programs.UnknownKernel(m, name)
	}
	return nil, fmt.Errorf("%s: found no kernel, expected one to launch", m.File)
}

// paramsOf returns the parameters declared in a .cu file.
func paramsOf(ctx context.Context, program string) (params map[string][]cuda.Param, err error) {
	err = programs.InTemporary(ctx, func(dir string) error {
		params, err = cuda.Params(ctx, dir, program, &cuda.Options{})
		return err
	})
	return params, err
}
