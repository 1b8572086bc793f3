package occupancy

import (
	"fmt"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/cli/programs"
	"kumiko/gpus/config"
	"kumiko/sm/occupancy"
)

func Command(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "occupancy PROGRAM | --block N --registers R",
		Short: "Compute how many CTAs of a kernel fit on one SM",
		Long: `Compute how many CTAs of a kernel fit on one SM, and what limits them.

PROGRAM is the name of a built-in benchmark, a recorded application (.kumiko), or a file of code (.ptx, .cu, .cubin, .sass): the CTAs are those of its kernels, with the registers
that the allocator needs, or as many as --registers says. For a file --block says the threads of a CTA, and --shared its
dynamic shared memory.

The register file's design has its say: with register sharing or CTA switching, more CTAs may be resident.`,
		Example: `  kumiko occupancy --block 256 --registers 36
  kumiko occupancy sgemm --gpu fermi
  kumiko occupancy saxpy.cu --block 256
  kumiko occupancy --block 256 --registers 36 --gpu tesla-c2050 --design sharing`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return app.Exactly("PROGRAM")(c, args)
		},
	}
	r := app.GPUFlags(c)
	var cta occupancy.CTA
	c.Flags().IntVar(&cta.Threads, "block", 0, "threads per CTA")
	c.Flags().IntVar(&cta.Registers, "registers", 0, "registers per thread")
	c.Flags().IntVar(&cta.SharedBytes, "shared", 0, "shared memory per CTA, in bytes")
	f := app.FormatFlag(c, "text", "json")
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return programOccupancy(a, c, args[0], r, cta, *f)
		}
		for _, name := range []string{"block", "registers"} {
			if !c.Flags().Changed(name) {
				return fmt.Errorf("kumiko occupancy: --%s is missing; usage: %s", name, c.UseLine())
			}
		}
		if cta.Threads > programs.MaxBlock {
			return fmt.Errorf("--block %d: expected 1 to %d", cta.Threads, programs.MaxBlock)
		}
		cfg, err := config.Load(*r)
		if err != nil {
			return err
		}
		res, err := cfg.CTAs(cta)
		if err != nil {
			return err
		}
		if *f == "json" {
			return app.WriteJSON(a.Stdout, res)
		}
		return occupancyText(a, cfg, cta, res)
	}
	return c
}

func occupancyText(a *app.App, cfg *config.Config, cta occupancy.CTA, res config.Occupancy) error {
	warps := res.CTAs * occupancy.Warps(cta.Threads)
	t := app.NewTable(a.Stdout)
	t.Row("CTAs per SM", res.CTAs)
	t.Row("limited by", res.Limit)
	t.Row("warps per SM", fmt.Sprintf("%d of %d", warps, cfg.SM.Warps))
	t.Row("registers unused", fmt.Sprintf("%d of %d", res.RegistersUnused, cfg.SM.Registers))
	for _, f := range res.Figures {
		if f.Value != 0 {
			t.Row(f.Doc, f.Value)
		}
	}
	t.Row("rule", cfg.Occupancy.Rule)
	for _, d := range res.Differences {
		t.Row("unlike compute capability "+cfg.Capability, d)
	}
	return t.Flush()
}
