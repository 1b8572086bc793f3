package study

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/study"
	"kumiko/study/pool"
	"kumiko/study/record"
)

// studyRunFlags are the flags of kumiko study run.
type studyRunFlags struct {
	studyFlags
	workers int
	check   bool
	keep    bool
	shard   *study.Shard // nil: all points
	slurm   slurmFlags
}

func studyRun(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "run STUDY",
		Short: "Run the missing points of a study",
		Long: `Run the points of a study, and keep a record of each.

Points that this version of the simulator has recorded are not run again, so the same command resumes a run that was
interrupted or killed. Points that another version has recorded are run again, unless --keep is given. A point that fails
is recorded with its reason, and the others go on. Of each variant one point is checked as by --check.

Points whose CTAs fill the machine fewer times than the study's key waves asks for are refused. --waves 0 takes them all the
same, as at a small size; the commands that read the records need it too. Where there are fewer than three full waves, the
table names the points: their cycles are those of a machine that is partly empty.

With --shard I/N the command runs a part of the points, and prints no table. Commands for all parts may run side by side, on
any machines that see the folder of the records: together they run each point once.

With --slurm the points are tasks of a Slurm job array. Every node must see the folder of the records and this program.`,
		Example: `  kumiko study run quick
  kumiko study run quick --size test --waves 0 --dir /tmp/quick
  kumiko study run quick --only 'rfc*' --only hotspot
  kumiko study run quick --shard 2/8 --dir /shared/quick
  kumiko study run quick --slurm --dir /shared/quick --slurm-option=--partition=long`,
		Args: app.Exactly("STUDY"),
	}
	var f studyRunFlags
	f.add(c)
	c.Flags().IntVar(&f.workers, "workers", 0,
		"points simulated at once; 0: one per processor; the results do not depend on it")
	c.Flags().BoolVar(&f.check, "check", false, "check that every operand is the newest value written")
	c.Flags().BoolVar(&f.keep, "keep", false,
		"keep records of other versions of the simulator instead of running their points again")
	shard := c.Flags().String("shard", "",
		"run a part of the points, I/N: those with an index of I modulo N in the order of kumiko study points")
	f.slurm.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if f.workers < 0 {
			return fmt.Errorf("--workers %d: expected at least 1, or 0 for one per processor", f.workers)
		}
		if err := f.slurm.check(c); err != nil {
			return err
		}
		if c.Flags().Changed("shard") {
			var err error
			if f.shard, err = study.ParseShard(*shard); err != nil {
				return fmt.Errorf("--shard: %w", err)
			}
		}
		return runStudy(a.Heed(c), a, args[0], &f)
	}
	return c
}

func runStudy(ctx context.Context, a *app.App, name string, f *studyRunFlags) error {
	ch, err := f.open(a, name)
	if err != nil {
		return err
	}
	var absent []string
	if ch.points, absent = ch.spec.Present(ch.points); len(absent) > 0 {
		fmt.Fprintf(a.Notes(), "note: no recording in %s (--captures), so left out: %s\n",
			app.Quoted(ch.spec.Recordings()), strings.Join(absent, ", "))
	}
	if f.check && !slices.ContainsFunc(ch.points, func(p record.Point) bool { return !p.Stream }) {
		return errors.New("--check: found with streams alone, which are not simulated")
	}
	if f.slurm.on {
		return runSlurm(ctx, a, name, f, ch)
	}
	if f.shard != nil {
		return runShard(ctx, a, f, ch)
	}
	show := newStudyProgress(a.Stderr)
	p := &pool.Pool{Spec: ch.spec, Store: ch.store, Version: a.Version, Workers: f.workers, Check: f.check,
		CheckFirst: true, Keep: f.keep, New: a.ForStudies, Report: show.report}
	out, err := p.Run(ctx, ch.points)
	show.clear()
	if err != nil {
		return err
	}
	counts(a, ch, "", out)
	if err := studyTable(a, ch); err != nil {
		return err
	}
	return runStatus(out, a.Version)
}

// counts prints how many points were done before, were done now, failed or were refused. part names a part of the
// study.
func counts(a *app.App, ch *chosen, part string, out *pool.Outcome) {
	fmt.Fprintf(a.Text(), "study %s%s: %d points, %d done before, %d now", ch.spec.Name, part, out.Points, out.Before,
		out.Done)
	listFailed(a.Text(), out.Failed, out.Refused)
	fmt.Fprintf(a.Text(), "records in %s\n", app.Quoted(ch.store.Dir()))
}

// listFailed ends the line of counts and lists the points without a result.
func listFailed(w io.Writer, failed, refused []study.Failed) {
	if len(failed) > 0 {
		fmt.Fprintf(w, ", %d failed", len(failed))
	}
	if len(refused) > 0 {
		fmt.Fprintf(w, ", %d refused", len(refused))
	}
	fmt.Fprintln(w)
	for _, list := range [][]study.Failed{failed, refused} {
		for _, f := range list {
			fmt.Fprintf(w, "  %s: %s\n", f.Point, f.Why)
		}
	}
}

// runStatus returns the error with the exit status of a run.
func runStatus(out *pool.Outcome, version string) error {
	switch {
	case out.Left > 0:
		return app.WithStatus(app.Interrupted, fmt.Sprintf("interrupted: %s left; the same command goes on with "+
			"the rest", counted(out.Left)))
	case slices.ContainsFunc(out.Failed, func(f study.Failed) bool { return f.Internal() }):
		return app.WithStatus(app.Internal, counted(len(out.Failed))+" failed, some by a fault of Kumiko "+version+
			", not of the input. Please report the command and the text of a point above")
	case len(out.Refused) > 0:
		return app.WithStatus(app.BadInput, fmt.Sprintf("%s refused: too few waves of CTAs to tell designs apart; "+
			"--waves 0 takes them all the same, here and where they are looked at",
			counted(len(out.Refused))))
	case len(out.Failed) > 0:
		return app.WithStatus(app.CheckFailed, counted(len(out.Failed))+" failed")
	}
	return nil
}

// counted formats a number of points.
func counted(n int) string {
	if n == 1 {
		return "1 point"
	}
	return fmt.Sprintf("%d points", n)
}
