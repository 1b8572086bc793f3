package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/gpus/config"
	"kumiko/internal/nearest"
	"kumiko/study"
)

// CheckPerturb refuses a number of perturbations out of range.
func CheckPerturb(n int) error {
	if n < 0 || n > study.MostPerturbations {
		return fmt.Errorf("--perturb %d: expected 0 to %d", n, study.MostPerturbations)
	}
	return nil
}

// AtLeast requires at least the named argument.
func AtLeast(name string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s: %s is missing; usage: %s", c.CommandPath(), name, c.UseLine())
		}
		return nil
	}
}

// Exactly requires the named arguments, no more and no fewer.
func Exactly(names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return fmt.Errorf("%s: %s is missing; usage: %s", c.CommandPath(), names[len(args)], c.UseLine())
		}
		if len(args) > len(names) {
			return fmt.Errorf("%s: unexpected argument %q; usage: %s", c.CommandPath(), args[len(names)], c.UseLine())
		}
		return nil
	}
}

// FormatFlag adds a --format flag.
func FormatFlag(c *cobra.Command, names ...string) *string {
	f := c.Flags().String("format", names[0], "output format: "+strings.Join(names, ", "))
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	before(c, func() error {
		if slices.Contains(names, *f) {
			return nil
		}
		return fmt.Errorf("--format %s: expected %s%s", *f, strings.Join(names, " or "), nearest.Hint(*f, names))
	})
	return f
}

// GPUFlags adds the flags to choose a configuration.
func GPUFlags(c *cobra.Command) *config.Request {
	r := &config.Request{}
	c.Flags().StringVar(&r.GPU, "gpu", "gtx980", "GPU: a built-in name (kumiko list gpus) or a TOML file")
	c.Flags().StringVar(&r.Design, "design", "",
		"register-file design: a preset (kumiko list designs), or several as A+B; default: that of the GPU")
	c.Flags().StringArrayVar(&r.Set, "set", nil, "set a parameter, key=value (kumiko list params); repeatable")
	code := c.Flags().String("code", "", "machine code that programs run as: own (Kumiko's compiler), or of NVIDIA's "+
		"ptxas for an architecture, such as sm_52 or sm_75; short for --set compiler.code=CODE")
	before(c, func() error {
		if *code != "" {
			r.Set = append([]string{"compiler.code=" + *code}, r.Set...)
		}
		return setOnce(r.Set)
	})
	return r
}

// before makes a command run a check first.
func before(c *cobra.Command, check func() error) {
	inner := c.PreRunE
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if err := check(); err != nil || inner == nil {
			return err
		}
		return inner(c, args)
	}
}
