package compile

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/cli/programs"
	"kumiko/cmd/kumiko/internal/nvcc"
)

func NVCCCommand(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "nvcc [FLAGS OF NVCC] FILE...",
		Short: "Compile a CUDA application, in place of nvcc",
		Long: `Compile a CUDA application by an installed clang, with the command line of nvcc and without a CUDA toolkit:
make NVCC="kumiko nvcc". kumiko nvcc --toolkit prints a folder that stands for the toolkit's, with bin/nvcc, include and
lib64: make CUDA_DIR=$(kumiko nvcc --toolkit).

Understood: several files of CUDA C++, C and C++, objects and libraries; -c, -ptx, -E, -o, -I, -D, -U, -include, -O, -g,
-std, -arch, -gencode, -code, -Xcompiler, -Xlinker, -L, -l, -shared, -x cu, -use_fast_math, -fmad, -ftz. Other flags of
nvcc get a warning where they would have an effect.

The compiler is the one that the environment variable CLANG names, or else the first of clang-19, clang-20, clang-21
and clang that is found. Functions of double precision are libclc's (on Debian and Ubuntu: apt install libclc-19).
The program runs by itself on an emulated GPU, and by kumiko exec on a simulated one.`,
		Example: `  kumiko nvcc -O2 -o bfs bfs.cu
  kumiko exec --gpu gtx980 -- ./bfs graph.txt`,
		DisableFlagParsing: true,
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if slices.Contains(args, "--help") || slices.Contains(args, "-h") {
			return c.Help()
		}
		if slices.Contains(args, "--version") || slices.Contains(args, "-V") {
			_, err := fmt.Fprintf(a.Text(), "kumiko nvcc %s, for programs of CUDA 12.0\n", a.Version)
			return err
		}
		if len(args) == 1 && args[0] == "--toolkit" {
			lib, err := nvcc.Library(a.Heed(c))
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(a.Text(), lib.Root)
			return err
		}
		o, err := nvcc.Parse(args)
		if err != nil {
			return err
		}
		for _, w := range o.Warnings {
			fmt.Fprintln(a.Notes(), "kumiko nvcc: "+w)
		}
		ctx := a.Heed(c)
		return programs.InTemporary(ctx, func(dir string) error { return nvcc.Run(ctx, o, dir, a.Stdout, a.Stderr) })
	}
	return c
}
