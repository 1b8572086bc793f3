package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/cli/programs"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/measure"
	"kumiko/gpus/result"
	"kumiko/kernel/host"
)

// concluded is what a run has come to.
type concluded struct {
	cfg  *config.Config
	m    app.Machine
	p    programs.Program
	res  *result.Result
	name string // of the program
	opt  gpus.Options
}

// conclude finishes a run that ended with err: it repeats a complete run under perturbations, and writes the outputs.
func conclude(ctx context.Context, a *app.App, r *concluded, f *runFlags, err error) error {
	res := r.res
	if s := app.Status(err); s == app.BadInput || s == app.Internal {
		return err // partial results are useless
	}
	if cerr := f.energy.charge(res); cerr != nil {
		return cerr
	}
	if res.Complete {
		f.warn(a, r.m.Fills(), r.name)
	}
	if err == nil {
		err = perturb(a, res, r.name, f, r.opt)
	}
	if verr := f.views.Keep(res, r.cfg, r.m); verr != nil {
		return errors.Join(err, verr)
	}
	if rerr := f.record.Finish(res.Complete, a.Notes()); rerr != nil {
		return errors.Join(err, rerr)
	}
	if werr := reportRun(a, res, r.p, f); werr != nil {
		return errors.Join(err, werr)
	}
	return errors.Join(err, settle(ctx, a, &f.checkpoint, res.Complete))
}

// simulate runs the program and returns the result, complete or not.
func simulate(a *app.App, cfg *config.Config, p programs.Program, m app.Machine, fingerprint *programs.Hashing,
	show *app.Reporter) (*result.Result, error) {
	start := time.Now()
	err := p.Run(&host.Device{Mem: m.Memory(), Runner: fingerprint})
	var check *host.CheckError
	if serr := m.Sync(); serr != nil && (err == nil || errors.As(err, &check)) {
		err = serr
	}
	show.Clear()
	res := measure.NewResult(cfg, m)
	res.Version, res.Program, res.ProgramHash = a.Version, p.Name(), fingerprint.String()
	res.Compiler, res.Codes = p.Compiler(), m.Codes()
	res.Complete = err == nil || errors.As(err, &check)
	if res.Complete {
		res.Expect = p.Expect(err)
		err = failed(res.Expect, err)
	}
	res.Finish(time.Since(start).Seconds())
	return res, err
}

// failed returns the error of a run with failed comparisons.
func failed(expect []result.Expect, err error) error {
	if err != nil {
		return err
	}
	for _, e := range expect {
		if !e.OK {
			return app.WithStatus(app.CheckFailed, fmt.Sprintf("%s: %d elements differ from what was expected",
				app.Quoted(e.Buffer), e.Mismatches))
		}
	}
	return nil
}

// reportRun writes the outputs requested by the flags.
func reportRun(a *app.App, res *result.Result, p programs.Program, f *runFlags) error {
	write := func(w io.Writer) error { return app.WriteJSON(w, res) }
	if f.out != "" {
		if err := app.WriteFile(filepath.Join(f.out, resultFile), write); err != nil {
			return err
		}
		if res.Complete {
			if err := p.Save(f.out); err != nil {
				return err
			}
		}
	}
	switch f.json {
	case "-":
		return write(a.Stdout)
	case "":
	default:
		if err := app.WriteFile(f.json, write); err != nil {
			return err
		}
	}
	err := errors.Join(runText(a, res, &f.sample), energyText(a, res.Energy), areaText(a, res.Area))
	if f.detail {
		err = errors.Join(err, detailText(a, res))
	}
	return err
}
