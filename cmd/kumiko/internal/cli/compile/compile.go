package compile

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/cli/programs"
	"kumiko/cmd/kumiko/internal/cuda"
)

func Command(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "compile FILE.cu",
		Short: "Compile CUDA C++ to PTX",
		Long: `Compile a file of CUDA C++ to PTX, by an installed clang and without a CUDA toolkit.

Only the device's part of the file is compiled. kumiko run FILE.cu does the same, and runs the result.
The compiler is the one that the environment variable CLANG names, or else the first of clang-19, clang-20, clang-21
and clang that is found.`,
		Example: `  kumiko compile saxpy.cu -o saxpy.ptx
  kumiko compile saxpy.cu -o saxpy.ptx -D BLOCK=256 -I include --arch sm_80`,
		Args: app.Exactly("FILE.cu"),
	}
	var o cuda.Options
	var file string
	c.Flags().StringVarP(&file, "output", "o", "", "write the PTX to this file; without it, to standard output")
	c.Flags().StringVar(&o.Arch, "arch", cuda.DefaultArch, "architecture, sm_NN")
	c.Flags().StringArrayVarP(&o.Includes, "include", "I", nil, "look for #include files here too; repeatable")
	c.Flags().StringArrayVarP(&o.Defines, "define", "D", nil, "define a macro, NAME or NAME=VALUE; repeatable")
	c.RunE = func(c *cobra.Command, args []string) error {
		name := args[0]
		if !programs.IsCUDA(name) {
			return fmt.Errorf("found %q, expected a file ending in .cu", name)
		}
		if err := app.Nameless(c, "output"); err != nil {
			return err
		}
		if file != "" {
			if err := compileTo(a, name, file); err != nil {
				return err
			}
		}
		out, err := programs.CompileCUDA(a.Heed(c), name, &o, a.Notes())
		if err != nil {
			return err
		}
		if file == "" {
			_, err := a.Stdout.Write(out.PTX)
			return err
		}
		return app.WriteFile(file, func(w io.Writer) error {
			_, err := w.Write(out.PTX)
			return err
		})
	}
	return c
}

// compileTo refuses an output that cannot be written, or is the input.
func compileTo(a *app.App, name, file string) error {
	o := &app.Outputs{}
	o.Reads(name, "the file to compile")
	o.File(file, "--output "+file)
	if err := o.Check(); err != nil {
		return err
	}
	return app.PlaceOf("--output", file)
}
