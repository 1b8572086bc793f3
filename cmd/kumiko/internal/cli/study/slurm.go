package study

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/study/pool"
	"kumiko/study/record"
	"kumiko/study/slurm"
)

// slurmFlags are the flags for a cluster instead of a local pool.
type slurmFlags struct {
	on      bool
	dir     string
	options []string
}

func (f *slurmFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.on, "slurm", false, "submit the points as a Slurm job array, and wait for it")
	c.Flags().StringVar(&f.dir, "slurm-dir", "",
		"folder for manifests, records and logs of the tasks, which every node must see; default: slurm in the "+
			"folder of the records")
	c.Flags().StringArrayVar(&f.options, "slurm-option", nil,
		"option for sbatch, such as --slurm-option=--partition=long; repeatable")
}

// check refuses conflicting flags.
func (f *slurmFlags) check(c *cobra.Command) error {
	for _, name := range []string{"slurm-dir", "slurm-option"} {
		if !f.on && c.Flags().Changed(name) {
			return fmt.Errorf("--%s: expected together with --slurm", name)
		}
	}
	for _, name := range []string{"workers", "shard"} {
		if f.on && c.Flags().Changed(name) {
			return fmt.Errorf("--%s: found together with --slurm, where each task is a process of its own", name)
		}
	}
	return nil
}

// runSlurm executes the points on a cluster.
func runSlurm(ctx context.Context, a *app.App, name string, f *studyRunFlags, ch *chosen) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	show := newStudyProgress(a.Stderr)
	dir := f.slurm.dir
	if dir == "" {
		dir = filepath.Join(ch.store.Dir(), "slurm")
	}
	r := slurm.Run{Cluster: slurm.Cluster{Options: f.slurm.options}, Spec: ch.spec, Store: ch.store, Study: name,
		Size: f.size, Captures: f.captures,
		Need:       record.Need{Version: a.Version, Keep: f.keep, Check: f.check},
		CheckFirst: true, Dir: dir, Program: program, Report: show.count, Note: show.note}
	out, err := r.Do(ctx, ch.points)
	show.clear()
	if err != nil {
		return err
	}
	failed, refused := out.Split()
	fmt.Fprintf(a.Text(), "study %s: %d points, %d done, %d missing", ch.spec.Name, out.Points, out.Done,
		len(out.Missing))
	listFailed(a.Text(), failed, refused)
	fmt.Fprintf(a.Text(), "records in %s\n", app.Quoted(ch.store.Dir()))
	if err := studyTable(a, ch); err != nil {
		return err
	}
	switch {
	case len(out.Jobs) > 0:
		return app.WithStatus(app.Interrupted, fmt.Sprintf("interrupted: the tasks go on in the queue (job %s); the "+
			"same command collects what they leave",
			strings.Join(out.Jobs, ", ")))
	case len(out.Missing) > 0:
		return app.WithStatus(
			app.CheckFailed,
			fmt.Sprintf("%s left no record; the logs of their tasks are in %s; the "+
				"same command submits them again",
				counted(len(out.Missing)), filepath.Join(dir, "log")),
		)
	}
	return runStatus(&pool.Outcome{Failed: failed, Refused: refused}, a.Version)
}

// studyTask returns the command run by the tasks of a job array.
func studyTask(a *app.App) *cobra.Command {
	c := &cobra.Command{Use: "task MANIFEST INDEX", Short: "Execute one task of a Slurm job array", Hidden: true,
		Args: app.Exactly("MANIFEST", "INDEX")}
	c.RunE = func(c *cobra.Command, args []string) error {
		n, err := strconv.Atoi(args[1])
		if err != nil {
			return fmt.Errorf("INDEX: found %q, expected a number", args[1])
		}
		node := slurm.Node{Version: a.Version, New: a.ForStudies}
		return node.Run(a.Heed(c), args[0], n)
	}
	return c
}
