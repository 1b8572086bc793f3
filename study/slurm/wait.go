package slurm

import (
	"context"
	"fmt"
	"os"
	"time"

	"kumiko/study/pool"
	"kumiko/study/record"
)

// wait is a run in flight.
type wait struct {
	*Run
	arrived *record.Store // where tasks leave their records
	open    []Task        // tasks with records missing from the study's store
	total   int
	batches []*Batch        // batches possibly in the queue
	queued  map[string]bool // keys of their tasks
	firsts  *pool.Firsts
}

// collect moves the records of finished tasks to the store, and keeps the
// other tasks in open.
func (w *wait) collect(tasks []Task) error {
	var open []Task
	for i := range tasks {
		t := &tasks[i]
		whole := true
		for k := range t.Points {
			ok, err := w.take(t, &t.Points[k])
			if err != nil {
				return err
			}
			whole = whole && ok
		}
		if !whole {
			open = append(open, *t)
		}
	}
	w.open = open
	return nil
}

// take moves a point's record to the study's store and reports whether the store has it as needed. It drops
// records of tasks executed by other versions, and failures of tasks no longer in the queue: such points are
// executed again.
func (w *wait) take(t *Task, p *record.Point) (bool, error) {
	r, err := w.Store.Get(p, t.Key)
	if r != nil {
		w.firsts.Saw(r)
	}
	if err != nil || w.Spec.Met(r, &w.Need) {
		return err == nil, err
	}
	if r, err = w.arrived.Get(p, t.Key); err != nil || r == nil {
		return false, err
	}
	if !w.Meets(r) && !(w.queued[t.Key] && !r.Measured() && r.Version == w.Version) {
		return false, w.arrived.Drop(p, t.Key)
	}
	if err := w.Store.Put(r); err != nil {
		return false, err
	}
	return !r.Measured() || w.Spec.Met(r, &w.Need), w.arrived.Drop(p, t.Key)
}

// join finds the batches still in the queue, and drops finished ones.
func (w *wait) join(ctx context.Context) error {
	all, err := batches(w.Dir)
	if err != nil {
		return err
	}
	for _, b := range all {
		n, err := w.alive(ctx, b)
		if err != nil {
			return err
		}
		switch {
		case n == 0:
			b.drop()
			continue
		case b.Version != w.Version || w.Check && !b.Check || b.Waves > w.Spec.Waves:
			w.note("%d tasks in the queue are of another version of the simulator, without --check, or with more "+
				"--waves; they are not waited for", len(b.Tasks))
			continue
		}
		w.note("waiting for %d tasks that were submitted before", len(b.Tasks))
		w.add(b)
	}
	return nil
}

func (w *wait) add(b *Batch) {
	w.batches = append(w.batches, b)
	for i := range b.Tasks {
		w.queued[b.Tasks[i].Key] = true
		if b.Check || b.Tasks[i].Check {
			w.firsts.Checks(b.Tasks[i].Points)
		}
	}
}

// alive counts the unfinished jobs of a batch, and forgets the others.
func (w *wait) alive(ctx context.Context, b *Batch) (int, error) {
	var left []Job
	for _, j := range b.jobs {
		live, err := w.live(ctx, j)
		if err != nil {
			return 0, err
		}
		if live {
			left = append(left, j)
		}
	}
	b.jobs = left
	return len(left), nil
}

// submit queues the tasks not in the queue from another batch.
func (w *wait) submit(ctx context.Context) error {
	b := &Batch{Study: w.Study, Size: w.Size, Captures: w.Captures, Version: w.Version, Check: w.Check,
		Waves: w.Spec.Waves, Records: w.records()}
	for _, t := range w.open {
		if !w.queued[t.Key] {
			b.Tasks = append(b.Tasks, t)
		}
	}
	if len(b.Tasks) == 0 {
		return nil
	}
	if w.CheckFirst && !w.Check {
		b.choose(w.firsts)
	}
	if err := b.save(w.Dir); err != nil {
		return err
	}
	defer os.Remove(b.file + ".sh") // sbatch has taken a copy
	if err := os.WriteFile(b.file+".sh", []byte(w.text(b.file)), 0o755); err != nil {
		return err
	}
	most := w.largestArray(ctx)
	for first := 0; first < len(b.Tasks); first += most {
		j, err := w.queue(ctx, "kumiko-"+w.Spec.Name, b.file+".sh", w.logs(), first, min(most, len(b.Tasks)-first))
		if err != nil {
			return err
		}
		if err := b.submitted(j); err != nil {
			return err
		}
		w.note("job %s: %d tasks", j.ID, j.Count)
	}
	w.add(b)
	return nil
}

// The queue is queried often at first, and then ever less often. So neither does a
// short job wait, nor does a long one burden the controller.
const (
	firstLook = 200 * time.Millisecond
	lastLook  = 10 * time.Second
)

// patience is the longest time without an answer of the controller, as during a restart.
const patience = 10 * time.Minute

// untilOver waits until every task has its record or no job is left.
func (w *wait) untilOver(ctx context.Context) error {
	pause, silent := firstLook, time.Duration(0)
	for {
		if w.Report != nil {
			w.Report(w.total-len(w.open), w.total)
		}
		if len(w.open) == 0 || len(w.batches) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Canceled
		case <-time.After(pause):
		}
		pause = min(pause*5/4, lastLook)
		over, err := w.poll(ctx)
		switch {
		case ctx.Err() != nil:
			return context.Canceled
		case err == nil:
			silent = 0
		case silent >= patience:
			return fmt.Errorf("the queue has not answered for %v: %w", silent, err)
		default:
			silent += pause
		}
		if err := w.collect(w.open); err != nil {
			return err
		}
		if over {
			return nil
		}
	}
}

// poll drops the batches no longer in the queue, and reports whether none is left.
func (w *wait) poll(ctx context.Context) (over bool, err error) {
	var left []*Batch
	for _, b := range w.batches {
		n, err := w.alive(ctx, b)
		if err != nil {
			return false, err
		}
		if n > 0 {
			left = append(left, b)
		} else {
			b.drop()
		}
	}
	w.batches = left
	return len(left) == 0, nil
}
