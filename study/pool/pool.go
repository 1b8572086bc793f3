package pool

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/stop"
	"kumiko/kernel/ir"
	"kumiko/study"
	"kumiko/study/record"
)

// Pool executes the points of a study that lack the needed record in a store,
// each in a serial simulation. Points sharing a functional execution follow one
// another, so there are never more executions in memory than workers.
type Pool struct {
	Spec    *study.Spec
	Store   *record.Store
	Version string // of the simulator, for the records
	// Workers is the number of points simulated at once; 0: the number of
	// processors.
	Workers int
	// Check follows operand versions in every simulation, CheckFirst in the first one of each variant (Firsts).
	Check, CheckFirst bool
	// All are the points of a run of which this pool has a shard; nil: there are no others. CheckFirst then chooses
	// among them, so that the shards check one point of each variant together.
	All []record.Point
	// Keep accepts records of other versions. Without it their points are
	// executed again.
	Keep bool
	// New assembles a GPU; nil: as package gpus does.
	New func(*config.Config, gpus.Options) (Machine, error)
	// Report, if not nil, is called for every finished point, one at a time.
	Report func(Event)

	keys  *study.Keys
	waves waveTable
}

// Event is a finished point.
type Event struct {
	Record *record.Record
	// Same: the record was copied from a point with another name and
	// the same configuration.
	Same bool
	// Done is the number of finished points among Total missing ones.
	Done, Total int
	// Budgets of the finished points, and of all, in warp instructions.
	BudgetDone, BudgetTotal uint64
	// Left is an estimate from the speed so far.
	Left time.Duration
}

// Outcome counts the executed points by their end.
type Outcome struct {
	Points  int // asked for
	Before  int // were there already
	Done    int // now executed
	Failed  []study.Failed
	Refused []study.Failed // too few waves
	Left    int            // not executed: the context was cancelled
}

// task is a simulation and the points of which it is the result.
type task struct {
	key    string
	points []record.Point
	group  *group
	budget uint64
	check  bool // its operand versions are followed
	// have is a record of one of the points, complete except for its waves as last
	// judged; or nil.
	have *record.Record
}

// Run executes the missing points. When the context is cancelled, it
// abandons the points in flight; every finished point is in the store.
func (p *Pool) Run(ctx context.Context, points []record.Point) (*Outcome, error) {
	p.keys = p.Spec.Keys()
	p.waves.init(p)
	if split(points) {
		return p.runSplit(ctx, points)
	}
	return p.runAll(ctx, points)
}

func (p *Pool) runAll(ctx context.Context, points []record.Point) (*Outcome, error) {
	out := &Outcome{Points: len(points)}
	tasks, err := p.plan(points, out)
	if err != nil {
		return nil, err
	}
	r := &pooled{Pool: p, ctx: ctx, out: out, start: time.Now()}
	for i := range tasks {
		r.total += len(tasks[i].points)
		r.budget += tasks[i].budget * uint64(len(tasks[i].points))
	}
	err = r.run(tasks)
	out.Left = r.total - out.Done - len(out.Failed) - len(out.Refused)
	return out, err
}

// plan lists the needed simulations, the ones sharing an execution together and
// the longest executions first.
func (p *Pool) plan(points []record.Point, out *Outcome) ([]task, error) {
	need := &record.Need{Version: p.Version, Keep: p.Keep, Check: p.Check}
	byKey := map[string]int{}
	groups := map[string]*group{}
	firsts := NewFirsts(p.Version)
	if p.All != nil {
		firsts.Among(p.All)
	}
	var tasks []task
	err := p.Store.Each(
		points,
		record.Heads,
		p.keys.Key,
		func(pt *record.Point, key string, r *record.Record) (err error) {
			if r != nil {
				firsts.Saw(r)
			}
			if p.Spec.Met(r, need) {
				out.Before++
				return nil
			}
			switch {
			case r != nil && !need.Meets(r):
				r = nil
			case r != nil:
				if r, err = p.Store.Get(pt, key); err != nil {
					return err
				}
			}
			if at, ok := byKey[key]; ok {
				tasks[at].points = append(tasks[at].points, *pt)
				tasks[at].have = cmp.Or(tasks[at].have, r)
				return nil
			}
			g, err := p.groupOf(pt, groups)
			if err != nil {
				return err
			}
			byKey[key] = len(tasks)
			tasks = append(tasks, task{key: key, points: []record.Point{*pt}, group: g, budget: pt.Budget(), have: r})
			g.users++
			g.budget += pt.Budget()
			return nil
		},
	)
	if err != nil {
		return nil, err
	}
	p.chooseChecked(tasks, firsts)
	slices.SortStableFunc(tasks, func(a, b task) int {
		return cmp.Or(cmp.Compare(b.group.budget, a.group.budget), cmp.Compare(a.group.number, b.group.number))
	})
	return tasks, nil
}

// chooseChecked selects the tasks to check.
func (p *Pool) chooseChecked(tasks []task, firsts *Firsts) {
	var simulated []*task
	for i := range tasks {
		t := &tasks[i]
		if t.check = p.Check && !t.points[0].Stream; t.have == nil {
			simulated = append(simulated, t)
		}
	}
	if p.Check || !p.CheckFirst {
		return
	}
	for i, check := range firsts.Choose(len(simulated), func(i int) (string, []record.Point) {
		return simulated[i].key, simulated[i].points
	}) {
		simulated[i].check = check
	}
}

// pooled is a run of the pool.
type pooled struct {
	*Pool
	ctx    context.Context
	start  time.Time
	total  int
	budget uint64

	mu   sync.Mutex
	out  *Outcome
	done uint64 // budget
	err  error  // of the store: nothing can be kept
}

func (r *pooled) run(tasks []task) error {
	workers := r.Workers
	if workers < 1 {
		workers = runtime.NumCPU()
	}
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	r.ctx = ctx
	feed := make(chan *task)
	var all sync.WaitGroup
	for range min(workers, len(tasks)) {
		all.Go(func() {
			for t := range feed {
				if err := r.execute(t); err != nil {
					r.fail(err)
					cancel()
				}
				t.group.release()
			}
		})
	}
	for i := range tasks {
		select {
		case feed <- &tasks[i]:
		case <-ctx.Done():
		}
	}
	close(feed)
	all.Wait()
	return r.err
}

func (r *pooled) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
}

// execute simulates a task and keeps its records. It returns an error if they
// cannot be kept.
func (r *pooled) execute(t *task) (err error) {
	defer ir.Caught(&err)
	if r.ctx.Err() != nil {
		return nil
	}
	rec := r.measure(r.ctx, t)
	if rec == nil {
		return nil // given up
	}
	for i := range t.points {
		own := r.recordFor(rec, &t.points[i])
		if own.Measured() || own.Refused() {
			r.waves.judge(own, t.group)
		}
		if err := r.Store.Put(own); err != nil {
			return err
		}
		r.finished(own, i > 0, t.budget)
	}
	return nil
}

// recordFor returns a record under the name of another point of the same configuration.
func (r *pooled) recordFor(rec *record.Record, p *record.Point) *record.Record {
	own := *rec
	own.Point = *p
	if cfg, err := r.Spec.ConfigOf(p); err == nil && own.Result != nil {
		res := *own.Result
		res.GPU, res.Design = cfg.Name, cfg.Design
		own.Result = &res
	}
	return &own
}

// finished counts a point and reports it.
func (r *pooled) finished(rec *record.Record, same bool, budget uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch f := (study.Failed{Point: rec.Point.String(), Why: rec.Failed}); {
	case rec.Refused():
		r.out.Refused = append(r.out.Refused, f)
	case rec.Failed != "":
		r.out.Failed = append(r.out.Failed, f)
	default:
		r.out.Done++
	}
	r.done += budget
	if r.Report == nil {
		return
	}
	n := r.out.Done + len(r.out.Failed) + len(r.out.Refused)
	left := time.Duration(float64(time.Since(r.start)) * (float64(r.budget)/float64(max(r.done, 1)) - 1))
	r.Report(Event{Record: rec, Same: same, Done: n, Total: r.total, BudgetDone: r.done, BudgetTotal: r.budget,
		Left: left})
}

// interrupted reports whether an error is due to the cancelled context.
func interrupted(ctx context.Context, err error) bool {
	return errors.Is(err, stop.ErrInterrupted) || ctx.Err() != nil
}
