package slurm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kumiko/study"
	"kumiko/study/pool"
	"kumiko/study/record"
)

// Run executes the points of a study that lack the needed record in its
// store.
type Run struct {
	Cluster
	Spec  *study.Spec
	Store *record.Store
	// Study is the study's name or file, from which the tasks load the study.
	Study string
	Size  string // as the command line has it; empty: as the study says
	// Captures is the folder of the study's recordings; empty: that of its file.
	Captures string
	record.Need
	// CheckFirst follows operand versions in the first simulation of each variant (study.Firsts).
	CheckFirst bool
	// Dir holds manifests, records and logs; every node sees it.
	Dir string
	// Program is the simulator's executable; every node sees it.
	Program string
	// Report, if not nil, is called with the number of simulations in the store or
	// failed, and the number of missing ones at the beginning.
	Report func(done, total int)
	// Note, if not nil, is called with a text for each event.
	Note func(text string)
}

// Outcome counts the outcomes of the points.
type Outcome struct {
	study.Census
	// Jobs are the unfinished jobs when the wait was
	// interrupted.
	Jobs []string
}

// Do submits the missing points, unless they are in the queue from an earlier batch,
// waits, and takes the records over. When the context is cancelled the jobs go
// on; another Do collects their records.
func (r *Run) Do(ctx context.Context, points []record.Point) (*Outcome, error) {
	if err := r.makeFolders(); err != nil {
		return nil, err
	}
	arrived, err := record.OpenStore(r.records())
	if err != nil {
		return nil, err
	}
	keys := r.Spec.Keys()
	pieces, err := r.Spec.Pieces(r.Store, keys, points, &r.Need)
	if err != nil {
		return nil, err
	}
	tasks, err := tasksOf(pieces, keys)
	if err != nil {
		return nil, err
	}
	w := &wait{Run: r, arrived: arrived, queued: map[string]bool{}, firsts: pool.NewFirsts(r.Version)}
	if err := w.join(ctx); err != nil {
		return nil, err
	}
	if err := w.collect(tasks); err != nil {
		return nil, err
	}
	w.total = len(w.open)
	if err := w.submit(ctx); err != nil {
		return nil, err
	}
	err = w.untilOver(ctx)
	if err := w.collect(w.open); err != nil {
		return nil, err
	}
	out := &Outcome{}
	if errors.Is(err, context.Canceled) {
		for _, b := range w.batches {
			for _, j := range b.jobs {
				out.Jobs = append(out.Jobs, j.ID)
			}
		}
		err = nil
	}
	if err != nil {
		return nil, err
	}
	if _, err := r.Spec.Join(r.Store, keys, points, &r.Need); err != nil {
		return nil, err
	}
	census, err := r.Spec.Census(r.Store, points, r.Version)
	if err != nil {
		return nil, err
	}
	out.Census = *census
	return out, nil
}

func (r *Run) records() string { return filepath.Join(r.Dir, "records") }
func (r *Run) logs() string    { return filepath.Join(r.Dir, "log") }

// makeFolders creates the folders, and makes their paths absolute, since tasks start elsewhere.
func (r *Run) makeFolders() error {
	paths := []*string{&r.Dir, &r.Program}
	if r.Captures != "" {
		paths = append(paths, &r.Captures)
	}
	for _, p := range paths {
		abs, err := filepath.Abs(*p)
		if err != nil {
			return err
		}
		*p = abs
	}
	if strings.HasSuffix(r.Study, ".toml") {
		abs, err := filepath.Abs(r.Study)
		if err != nil {
			return err
		}
		r.Study = abs
	}
	if err := os.MkdirAll(r.logs(), 0o755); err != nil {
		return fmt.Errorf("folder for the cluster: %w", err)
	}
	return nil
}

// text of the script of a batch: the argument is the number of the job's first
// task.
func (r *Run) text(manifest string) string {
	return "#!/bin/sh\nexec " + quoted(r.Program) + " study task " + quoted(manifest) +
		" $(($1 + SLURM_ARRAY_TASK_ID))\n"
}

// quoted returns a text quoted for a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func (r *Run) note(format string, args ...any) {
	if r.Note != nil {
		r.Note(fmt.Sprintf(format, args...))
	}
}
