package run

import (
	"fmt"
	"io"
	"slices"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/cli/programs"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/result"
	"kumiko/study/query"
)

// checkSeed refuses a perturbed plain run.
func checkSeed(cfg *config.Config, f *runFlags) error {
	if seed := fmt.Sprint(cfg.Values()[config.PerturbSeed]); f.perturb > 0 && seed != "0" {
		return fmt.Errorf("--perturb %d: found together with %s = %s, expected 0: the perturbed runs set it", f.perturb,
			config.PerturbSeed, seed)
	}
	return nil
}

// perturb runs the program again under each perturbation.
func perturb(a *app.App, res *result.Result, name string, f *runFlags, opt gpus.Options) error {
	for k := range f.perturb {
		show := app.NewReporter(a.Stderr)
		own := gpus.Options{Context: opt.Context, Check: opt.Check, Workers: opt.Workers, MaxCycles: opt.MaxCycles,
			Limits: opt.Limits, Progress: show.Report}
		r := *f.gpu
		r.Set = append(slices.Clone(r.Set), fmt.Sprintf("%s=%d", config.PerturbSeed, k+1))
		cfg, err := config.Load(r)
		if err != nil {
			return err
		}
		p, err := f.program.Open(name)
		if err != nil {
			return err
		}
		if t, ok := p.(*programs.Traces); ok {
			if err := t.Fit(cfg, io.Discard); err != nil {
				return err
			}
		}
		m, err := a.New(cfg, own)
		if err != nil {
			return err
		}
		one, err := simulate(a, cfg, p, m, programs.NewHashing(m, m.Memory(), show.Launched), show)
		if err != nil {
			return fmt.Errorf("perturbation %d: %w", k+1, err)
		}
		res.Perturb(&one.Total)
		_, res.Perturbed.Underfilled = shortOf(m.Fills(), 1)
	}
	return nil
}

// perturbedText describes the perturbed runs: the range over all runs, and the interval used in the reports of
// studies.
func perturbedText(r *result.Result) string {
	p := r.Perturbed
	out := fmt.Sprintf("%d perturbed runs: %d to %d cycles, IPC %.4g to %.4g (the plain run included)",
		len(p.Cycles), p.CyclesInterval[0], p.CyclesInterval[1], p.IPCInterval[0], p.IPCInterval[1])
	if i := query.StudentT(append([]float64{r.Total.IPC}, p.IPC...)); i != nil {
		out += fmt.Sprintf("; IPC %s (plain run, and half of the interval of 95 %% of Student's t over all)",
			query.PlusMinus(r.Total.IPC, i.Half()))
	}
	if p.Underfilled > 0 {
		out += fmt.Sprintf("\nthe CTAs of %d launches do not fill the machine: the perturbed runs have them on other "+
			"SMs, so that the interval is not that of timing alone", p.Underfilled)
	}
	return out
}
